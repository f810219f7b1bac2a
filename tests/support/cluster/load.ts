import { setTimeout as pause } from 'node:timers/promises';

/** One call as its client saw it, and its target. */
type Seen = Readonly<{
  /** null: no answer arrived at all. */
  status: number | null;
  requestId: string;
  /** The answer arrived whole: JSON with choices, or a stream that ended with `[DONE]`. */
  complete: boolean;
  /** The `code` of an error in place of an answer, or null. */
  code: string | null;
}>;

export type Load = Readonly<{
  seen: readonly Seen[];
  /** Calls that a relay accepted: they were answered with 200, whole or not. */
  taken: () => number;
  /** Resolves when `count` calls were taken on, or rejects with `failed`. */
  until: (count: number) => Promise<void>;
  /** Ends when the calls in flight have ended. */
  stop: () => Promise<void>;
}>;

export type LoadPlan = Readonly<{
  url: string;
  keys: readonly string[];
  clients: number;
  /** The request of the n-th call. */
  body: (n: number) => Readonly<Record<string, unknown>>;
}>;

const codeOf = (text: string): string | null => /"code":\s*"([^"]*)"/.exec(text)?.[1] ?? null;

const ask = async ({ url, keys, body }: LoadPlan, n: number): Promise<Seen> => {
  let status: number | null = null;
  let requestId = '';
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer sk-${keys[n % keys.length]}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: `hello there ${n}` }],
        ...body(n),
      }),
    });
    status = answer.status;
    requestId = answer.headers.get('x-request-id') ?? '';
    const text = (await answer.text()).trimEnd();
    const isWhole = text.startsWith('data:')
      ? text.endsWith('data: [DONE]')
      : text.includes('"choices"');
    const code = status === 200 ? null : codeOf(text);
    return { status, requestId, complete: status === 200 && isWhole, code };
  } catch {
    return { status, requestId, complete: false, code: null };
  }
};

/** How many calls got no whole answer, by what they got instead. */
export const unanswered = (seen: readonly Seen[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { complete, status, code } of seen) {
    const kind = `${status ?? 'no answer'} ${code ?? ''}`.trim();
    if (!complete) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

/** Clients that call repeatedly, and wait a moment when they are turned away. */
export const startLoad = (plan: LoadPlan): Load => {
  const seen: Seen[] = [];
  let isRunning = true;
  let next = 0;
  let taken = 0;
  const client = async (): Promise<void> => {
    while (isRunning) {
      next += 1;
      const outcome = await ask(plan, next);
      seen.push(outcome);
      if (outcome.status === 200) taken += 1;
      else await pause(50);
    }
  };
  const clients = Array.from({ length: plan.clients }, client);
  return {
    seen,
    taken: () => taken,
    until: async (count) => {
      while (taken < count) await pause(10);
    },
    stop: async () => {
      isRunning = false;
      await Promise.all(clients);
    },
  };
};
