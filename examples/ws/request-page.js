const waiting = new Map();
let opening;
let lastId = 0;

const open = () =>
  new Promise((resolve, reject) => {
    const site = location.origin.replace(/^http/, 'ws');
    const socket = new WebSocket(`${site}/messages`);
    socket.onopen = () => resolve(socket);
    socket.onmessage = ({ data }) => {
      const { id, answer } = JSON.parse(data);
      waiting.get(id)?.resolve(answer);
      waiting.delete(id);
    };
    socket.onclose = () => {
      opening = undefined;
      for (const one of [{ reject }, ...waiting.values()])
        one.reject(new Error('connection lost'));
      waiting.clear();
    };
  });

export async function ask(message) {
  const socket = await (opening ??= open());
  return new Promise((resolve, reject) => {
    waiting.set(++lastId, { resolve, reject });
    socket.send(JSON.stringify({ id: lastId, message }));
  });
}
