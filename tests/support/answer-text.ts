/** The body of an answer; of one that never ends, the line is hung up instead. */
export const answerText = async (answer: Response): Promise<string> => {
  const isEndless = answer.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (!isEndless) return answer.text();
  await answer.body?.cancel();
  return '';
};
