/* The official Google library: an answer, and one that streams. */
import { GoogleGenAI } from '@google/genai';

const { TOLLGATE_URL = 'http://localhost:3000', TOLLGATE_KEY, MODEL = 'gpt-4o-mini' } = process.env;
// The library adds `/v1beta/models/…` itself.
const google = new GoogleGenAI({ apiKey: TOLLGATE_KEY, httpOptions: { baseUrl: TOLLGATE_URL } });

const answer = await google.models.generateContent({
  model: MODEL,
  contents: 'Hello from the Google library',
});
console.log(answer.text);

const stream = await google.models.generateContentStream({
  model: MODEL,
  contents: 'Hello, piece by piece',
});
for await (const { text } of stream) process.stdout.write(text ?? '');
console.log();
