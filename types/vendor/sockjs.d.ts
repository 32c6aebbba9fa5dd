// `vendor/sockjs.js` is a classic script: loaded for what it leaves on the window.
export {};
