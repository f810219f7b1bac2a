/* The official Anthropic library: a message, and one that streams. */
import Anthropic from '@anthropic-ai/sdk';

const { TOLLGATE_URL = 'http://localhost:3000', TOLLGATE_KEY, MODEL = 'gpt-4o-mini' } = process.env;
// The library adds `/v1/messages` itself.
const anthropic = new Anthropic({ apiKey: TOLLGATE_KEY, baseURL: TOLLGATE_URL });

const message = await anthropic.messages.create({
  model: MODEL,
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello from the Anthropic library' }],
});
for (const block of message.content) if (block.type === 'text') console.log(block.text);

const stream = anthropic.messages.stream({
  model: MODEL,
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello, piece by piece' }],
});
stream.on('text', (text) => process.stdout.write(text));
const { usage } = await stream.finalMessage();
console.log(`\n${usage.output_tokens} tokens out`);
