import SockJS from 'sockjs-client';

export function followNews(show) {
  let last = 0;

  function connect() {
    const socket = new SockJS('/news');
    socket.onopen = () => socket.send(String(last));
    socket.onmessage = ({ data }) => {
      const { id, text } = JSON.parse(data);
      last = id;
      show(text);
    };
    socket.onclose = () => {
      setTimeout(connect, 1000 + 2000 * Math.random());
    };
  }
  connect();
}
