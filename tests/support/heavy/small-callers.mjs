/*
 * A provider that answers short chats, and callers of them, on a thread of their own: what the test
 * itself is busy with does not show in their latencies.
 */
import { Agent, createServer, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

const answer = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
});
const provider = createServer((req, res) => {
  req.resume();
  req.on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end(answer));
});
provider.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: provider.address().port }));

const agent = new Agent({ keepAlive: true });
const body = JSON.stringify({
  model: 'gpt-4o-mini',
  max_tokens: 5,
  messages: [{ role: 'user', content: 'hi' }],
});

const call = (url, key) =>
  new Promise((resolve, reject) => {
    const before = performance.now();
    const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
    const req = request(`${url}/v1/chat/completions`, { method: 'POST', agent, headers }, (res) => {
      res.resume();
      res.on('end', () => resolve({ ms: performance.now() - before, status: res.statusCode }));
    });
    req.on('error', reject);
    req.end(body);
  });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const run = async ({ url, key, stop }) => {
  const calls = [];
  const one = async () => {
    while (Atomics.load(stop, 0) === 0) {
      calls.push(await call(url, key));
      await pause(10);
    }
  };
  await Promise.all([one(), one()]);
  return calls;
};

parentPort.on('message', (asked) => {
  run(asked).then(
    (calls) => parentPort.postMessage({ calls }),
    (error) => parentPort.postMessage({ error: String(error) }),
  );
});
