import type { CallPlan, TaskPlan } from '../history.ts';
import type { Machine } from '../world/machine.ts';
import type { Network } from '../world/network.ts';
import { batchResults, batchStatus } from './provider-batches.ts';

/** The provider's answer, as the relay receives it. */
export interface ProviderListener {
  /** Whole events of a stream, with the output tokens in them. */
  onChunk(bytes: Buffer, tokens: number): void;
  /** The answer is whole; `bytes` closes a stream. `cacheTokens`: read from a cache that was named. */
  onEnd(bytes: Buffer, cacheTokens: number): void;
  /** `refused`: nothing was produced. */
  onFailure(kind: 'refused' | 'broken'): void;
}

/** The provider's answer to the submission of a task. */
export interface TaskListener {
  onTaken(upstreamId: string): void;
  /** Refused, or its answer did not arrive. */
  onFailure(): void;
}

type Taken = Readonly<{
  plan: CallPlan;
  endsAt: number;
  /** Questions that are still to fail. */
  failures: { status: number; results: number };
}>;
/** A call, and the cache that it names; null: none. */
type Asked = Readonly<{ plan: CallPlan; cacheName: string | null }>;
type Tell = (afterMs: number, say: () => void) => void;

const tokensPerEvent = 20;
const chunks = new Map<number, Buffer>();

/** Events as OpenAI's wire has them; a token is four characters. */
const chunkOf = (tokens: number): Buffer => {
  const known = chunks.get(tokens);
  if (known !== undefined) return known;
  let text = '';
  for (let left = tokens; left > 0; left -= tokensPerEvent) {
    const words = 'word'.repeat(Math.min(left, tokensPerEvent));
    text += `data: {"choices":[{"index":0,"delta":{"content":"${words}"}}]}\n\n`;
  }
  const bytes = Buffer.from(text);
  chunks.set(tokens, bytes);
  return bytes;
};

const closingOf = (
  { promptTokens, outputTokens, cachedTokens }: CallPlan,
  cacheTokens: number,
): Buffer => {
  const usage = {
    prompt_tokens: promptTokens + cacheTokens,
    completion_tokens: outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens + cacheTokens },
  };
  return Buffer.from(`data: {"choices":[],"usage":${JSON.stringify(usage)}}\n\ndata: [DONE]\n\n`);
};

const nothing = Buffer.alloc(0);

/** A provider that never fails by itself: what it serves is the truth. */
export class Provider {
  readonly machine: Machine;
  readonly network: Network;
  /** Tasks by the provider's own number of them. */
  readonly #tasks = new Map<string, Taken>();

  constructor(machine: Machine, network: Network) {
    this.machine = machine;
    this.network = network;
  }

  /** The answer calls off what has not been sent. */
  ask(relay: Machine, asked: Asked, listener: ProviderListener): () => void {
    let isOff = false;
    const tell = this.#tellerOf(relay, () => isOff);
    this.network.send(relay, this.machine, () => this.#answer(asked, listener, tell));
    return () => {
      isOff = true;
    };
  }

  submit(relay: Machine, plan: CallPlan, listener: TaskListener): void {
    const { machine } = this;
    const tell = this.#tellerOf(relay, () => false);
    this.network.send(relay, machine, () => {
      if (plan.fate === 'refused') {
        tell(plan.takesMs, () => listener.onFailure());
        return;
      }
      const upstreamId = `task-${this.#tasks.size}`;
      const { endsAfterMs = 0 } = plan.task ?? plan.batch ?? {};
      const endsAt = machine.timers.now() + plan.takesMs + endsAfterMs;
      const failures = { status: 0, results: 0, ...plan.batch?.failures };
      this.#tasks.set(upstreamId, { plan, endsAt, failures });
      tell(plan.takesMs, () =>
        plan.fate === 'broken' ? listener.onFailure() : listener.onTaken(upstreamId),
      );
    });
  }

  /** How a task has ended; null: it has not. */
  endOf(upstreamId: string): TaskPlan | null {
    return this.#ended(upstreamId)?.task ?? null;
  }

  /** A batch or its results, as HTTP has them. */
  get(path: string): Readonly<{ status: number; body: string }> {
    const [, , what, name = ''] = path.split('/');
    const id = name.replace('results-', '');
    const taken = this.#tasks.get(id);
    if (taken === undefined) return { status: 404, body: '' };
    const kind = what === 'batches' ? 'status' : 'results';
    if (taken.failures[kind] > 0) {
      taken.failures[kind] -= 1;
      return { status: 503, body: '' };
    }
    if (kind === 'status') return batchStatus(id, this.#ended(id)?.batch ?? null);
    return batchResults(taken.plan);
  }

  /** Of a cache; null: there is none of this name any more. */
  #tokensOf(cacheName: string): number | null {
    const taken = this.#tasks.get(cacheName);
    const cache = taken?.plan.cache;
    if (taken === undefined || cache?.does !== 'make') return null;
    const isOver = this.machine.timers.now() >= taken.endsAt + cache.livesMs;
    return isOver ? null : taken.plan.promptTokens;
  }

  #ended(upstreamId: string): CallPlan | null {
    const taken = this.#tasks.get(upstreamId);
    if (taken === undefined || this.machine.timers.now() < taken.endsAt) return null;
    return taken.plan;
  }

  /** Sends it to this instance of the process alone. */
  #tellerOf(relay: Machine, isOff: () => boolean): Tell {
    const { machine } = this;
    const { life } = relay;
    return (afterMs, say) => {
      machine.timers.setTimeout(() => {
        if (isOff() || relay.life !== life) return;
        this.network.send(machine, relay, () => {
          if (!isOff() && relay.life === life) say();
        });
      }, afterMs);
    };
  }

  #answer({ plan, cacheName }: Asked, listener: ProviderListener, tell: Tell): void {
    const cacheTokens = cacheName === null ? 0 : this.#tokensOf(cacheName);
    const { chunks: pieces, outputTokens, takesMs, fate } = plan;
    if (fate === 'refused' || cacheTokens === null) {
      tell(takesMs, () => listener.onFailure('refused'));
      return;
    }
    const sent = fate === 'broken' ? Math.floor(pieces / 2) : pieces;
    const each = pieces === 0 ? 0 : Math.floor(outputTokens / pieces);
    for (let nth = 1; nth <= sent; nth += 1) {
      const tokens = nth === pieces ? outputTokens - each * (pieces - 1) : each;
      tell((takesMs * nth) / (pieces + 1), () => listener.onChunk(chunkOf(tokens), tokens));
    }
    const end = pieces === 0 ? nothing : closingOf(plan, cacheTokens);
    tell(takesMs, () =>
      fate === 'broken' ? listener.onFailure('broken') : listener.onEnd(end, cacheTokens),
    );
  }
}
