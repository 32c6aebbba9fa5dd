export async function ask(message) {
  const response = await fetch('/messages', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
  if (!response.ok)
    throw new Error(`status ${response.status}`);
  return response.json();
}
