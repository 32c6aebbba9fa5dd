// `vendor/jquery.js` as a browser sees it: the module build of the jquery package.
declare const $: JQueryStatic;
export default $;
