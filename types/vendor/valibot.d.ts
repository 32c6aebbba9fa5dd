// `vendor/valibot.js` as a browser sees it: the valibot package in one file.
export * from 'valibot';
