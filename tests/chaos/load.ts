import { setTimeout as pause } from 'node:timers/promises';
import type { Customer } from './customers.ts';
import { bodyOf, type CallPlan, planOf } from './numbered-call.ts';

/** One call as its client saw it. Times are milliseconds of the test's monotonic clock. */
export type Seen = Readonly<{
  n: number;
  userId: number;
  tokenId: number;
  /** Index of the called relay. */
  relay: number;
  sentAt: number;
  endedAt: number;
  /** null: no answer arrived at all. */
  status: number | null;
  /** Empty where no answer arrived. */
  requestId: string;
  /** The whole answer arrived; false too where the client left. */
  complete: boolean;
  /** Of a refusal. */
  code: string;
}>;

export type Load = Readonly<{
  seen: readonly Seen[];
  /** Calls that have been sent and have no end yet. */
  inFlight: () => number;
  /** Clients send nothing new until `resume`; resolves when the calls in flight have ended. */
  hold: () => Promise<void>;
  resume: () => void;
  stop: () => Promise<void>;
  /** One more call, outside of what the clients do. */
  call: (customer: Customer, token: number, relay: number) => Promise<Seen>;
}>;

type LoadPlan = Readonly<{
  relayUrls: readonly string[];
  customers: readonly Customer[];
  /** Of each customer at each relay. */
  clientsEach: number;
}>;

type Answer = Pick<Seen, 'status' | 'requestId' | 'complete' | 'code'>;
const noAnswer: Answer = { status: null, requestId: '', complete: false, code: '' };
/** How long a client without quota, or without a relay, waits before its next call. */
const refusedMs = 150;

const codeOf = (text: string): string => /"code":"([^"]*)"/.exec(text)?.[1] ?? '';

const isWhole = (text: string): boolean =>
  text.startsWith('data:')
    ? text.trimEnd().endsWith('data: [DONE]') && !text.includes('"error"')
    : text.includes('"choices"');

const leave = async (answer: Response): Promise<void> => {
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
};

const post = async (url: string, key: string, plan: CallPlan): Promise<Answer> => {
  let begun = noAnswer;
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: bodyOf(plan),
    });
    const { status } = answer;
    begun = { ...noAnswer, status, requestId: answer.headers.get('x-request-id') ?? '' };
    if (plan.leavesEarly && status === 200) {
      await leave(answer);
      return begun;
    }
    const text = await answer.text();
    return status === 200
      ? { ...begun, complete: isWhole(text) }
      : { ...begun, code: codeOf(text) };
  } catch {
    return begun;
  }
};

/** Clients of every customer at every relay, each with all tokens of its customer in turn. */
export const startLoad = ({ relayUrls, customers, clientsEach }: LoadPlan): Load => {
  const seen: Seen[] = [];
  let next = 0;
  let inFlight = 0;
  let isRunning = true;
  let isHeld = false;

  const call = async (customer: Customer, token: number, relay: number): Promise<Seen> => {
    const plan = planOf(next);
    next += 1;
    inFlight += 1;
    const { tokenId = 0, key = '' } = customer.tokens[token % customer.tokens.length] ?? {};
    const sentAt = performance.now();
    const answer = await post(relayUrls[relay] ?? '', key, plan);
    const endedAt = performance.now();
    const { userId } = customer;
    const outcome = { n: plan.n, userId, tokenId, relay, sentAt, endedAt, ...answer };
    seen.push(outcome);
    inFlight -= 1;
    return outcome;
  };

  const client = async (customer: Customer, first: number, relay: number): Promise<void> => {
    for (let token = first; isRunning; token += 1) {
      while (isHeld && isRunning) await pause(20);
      if (!isRunning) return;
      const { status } = await call(customer, token, relay);
      if (status !== 200) await pause(refusedMs);
    }
  };

  const clients = customers.flatMap((customer) =>
    relayUrls.flatMap((_, relay) =>
      Array.from({ length: clientsEach }, (_, at) => client(customer, at, relay)),
    ),
  );
  return {
    seen,
    inFlight: () => inFlight,
    hold: async () => {
      isHeld = true;
      while (inFlight > 0) await pause(20);
    },
    resume: () => {
      isHeld = false;
    },
    stop: async () => {
      isRunning = false;
      await Promise.all(clients);
    },
    call,
  };
};
