export function followNews(show) {
  let last = 0;

  function connect() {
    const site = location.origin.replace(/^http/, 'ws');
    const url = `${site}/news?since=${last}`;
    const socket = new WebSocket(url);
    const connectAgain = () => {
      clearTimeout(timer);
      socket.onclose = socket.onmessage = null;
      socket.close();
      setTimeout(connect, 1000 + 2000 * Math.random());
    };
    // The server sends something every 25 s.
    // After longer silence, the connection is dead.
    let timer = setTimeout(connectAgain, 40_000);
    socket.onclose = connectAgain;
    socket.onmessage = ({ data }) => {
      clearTimeout(timer);
      timer = setTimeout(connectAgain, 40_000);
      const { id, text } = JSON.parse(data);
      if (id === undefined) return;
      last = id;
      show(text);
    };
  }
  connect();
}
