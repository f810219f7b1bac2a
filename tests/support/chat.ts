/** One chat call over plain HTTP, read to its end; what a client library would have seen. */
export type ChatOutcome = Readonly<{
  status: number;
  requestId: string;
  /** The answer arrived whole: JSON with choices, or a stream that ended with `[DONE]`. */
  complete: boolean;
  text: string;
}>;

export const chat = async (
  url: string,
  key: string,
  body: Readonly<Record<string, unknown>>,
): Promise<ChatOutcome> => {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'hello there' }],
      ...body,
    }),
  });
  const requestId = answer.headers.get('x-request-id') ?? '';
  const text = await answer.text();
  const complete =
    answer.status === 200 &&
    (text.trimEnd().endsWith('data: [DONE]') || text.includes('"choices"'));
  const whole = text.startsWith('data:') ? text.trimEnd().endsWith('data: [DONE]') : complete;
  return { status: answer.status, requestId, complete: whole, text };
};
