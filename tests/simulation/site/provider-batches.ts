import type { BatchAnswer, BatchPlan, CallPlan } from '../history.ts';

type Reply = Readonly<{ status: number; body: string }>;

const json = (value: object): Reply => ({ status: 200, body: JSON.stringify(value) });

const isPaid = (answer: BatchAnswer): boolean => answer !== 'failed';

/** An OpenAI-like provider's report of a batch; `plan` null: it has not ended. */
export const batchStatus = (upstreamId: string, plan: BatchPlan | null): Reply => {
  if (plan === null) return json({ id: upstreamId, status: 'in_progress' });
  const { end, answers, requests } = plan;
  const completed = answers.filter(isPaid).length;
  const file = completed === 0 ? {} : { output_file_id: `results-${upstreamId}` };
  const counts = { total: requests, completed, failed: answers.length - completed };
  return json({ id: upstreamId, status: end, request_counts: counts, ...file });
};

const usageOf = (answer: BatchAnswer) =>
  typeof answer === 'string'
    ? {}
    : {
        usage: {
          prompt_tokens: answer.promptTokens,
          completion_tokens: answer.outputTokens,
          prompt_tokens_details: { cached_tokens: answer.cachedTokens },
        },
      };

/** The lines of its results. */
export const batchResults = ({ batch }: CallPlan): Reply => {
  if (batch === undefined || batch.isGone) return { status: 404, body: '' };
  const lines = batch.answers.map((answer, nth) => ({
    custom_id: String(nth),
    response: { status_code: answer === 'failed' ? 500 : 200, body: usageOf(answer) },
  }));
  return { status: 200, body: lines.map((line) => `${JSON.stringify(line)}\n`).join('') };
};
