import instructorPackage from '@instructor-ai/instructor';
import OpenAI from 'openai';
import { z } from 'zod/v3';

const createInstructor = instructorPackage.default ?? instructorPackage;
const onlyJson = 'the package asks for structured output alone';

export const notOffered = {
  plain: onlyJson,
  stream: onlyJson,
  tool: onlyJson,
  'streamed tool': onlyJson,
  thinking: onlyJson,
  image: onlyJson,
  system: onlyJson,
};

const city = z.object({ city: z.string(), population: z.number().int() });

export const create = ({ url, key, model }) => {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = (prompt) =>
    createInstructor({ client, mode: 'TOOLS' }).chat.completions.create({
      model,
      max_retries: 0,
      messages: [{ role: 'user', content: prompt }],
      response_model: { schema: city, name: 'City' },
    });
  const textOf = ({ city: name, population }) => JSON.stringify({ city: name, population });
  return {
    json: async (prompt) => textOf(await ask(prompt)),
  };
};
