// sockjs-client ships a classic script only: its page loads it before the module that uses it.
interface Window {
  SockJS: typeof import('sockjs-client');
}
