/* The official OpenAI library: a chat, and a chat that streams and reports its usage. */
import OpenAI from 'openai';

const { TOLLGATE_URL = 'http://localhost:3000', TOLLGATE_KEY, MODEL = 'gpt-4o-mini' } = process.env;
const openai = new OpenAI({ apiKey: TOLLGATE_KEY, baseURL: `${TOLLGATE_URL}/v1` });

const answer = await openai.chat.completions.create({
  model: MODEL,
  messages: [{ role: 'user', content: 'Hello from the OpenAI library' }],
});
console.log(answer.choices[0].message.content);

const stream = await openai.chat.completions.create({
  model: MODEL,
  messages: [{ role: 'user', content: 'Hello, piece by piece' }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const { choices, usage } of stream) {
  process.stdout.write(choices[0]?.delta.content ?? '');
  if (usage) console.log(`\n${usage.total_tokens} tokens`);
}
