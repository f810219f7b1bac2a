/* The official OpenAI library: the Responses API. */
import OpenAI from 'openai';

const { TOLLGATE_URL = 'http://localhost:3000', TOLLGATE_KEY, MODEL = 'gpt-4o-mini' } = process.env;
const openai = new OpenAI({ apiKey: TOLLGATE_KEY, baseURL: `${TOLLGATE_URL}/v1` });

const response = await openai.responses.create({ model: MODEL, input: 'Hello from Responses' });
console.log(response.output_text);
console.log(`${response.usage.total_tokens} tokens`);
