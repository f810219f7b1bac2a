import { answerFor, type StubBody } from './answers.ts';

let nextId = 1;

/** The answer of POST /v1/responses, in one piece. */
export const responseAnswer = (body: StubBody): unknown => {
  const { text, usage } = answerFor(body);
  const id = nextId++;
  return {
    id: `resp_stub_${id}`,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: body.model,
    output: [
      {
        type: 'message',
        id: `msg_stub_${id}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text, annotations: [] }],
      },
    ],
    usage: usage && {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      total_tokens: usage.total_tokens,
    },
  };
};
