import type { CallPlan, TurnPlan } from '../history.ts';
import type { Machine } from '../world/machine.ts';
import { pieceOf, turnEnd } from './live-wire.ts';
import type { Provider } from './provider.ts';
import { SimSocket } from './sim-socket.ts';

/** Events of a provider in a session, with their times. */
type Say = Readonly<{
  after: (ms: number, say: () => void) => void;
  message: (text: string) => void;
  close: () => void;
}>;

/** The provider's side of one realtime session: a turn for each question. */
class ProviderSession {
  readonly #plan: CallPlan;
  readonly #say: Say;
  #asked = 0;
  #isOver = false;

  constructor(plan: CallPlan, say: Say) {
    this.#plan = plan;
    this.#say = say;
  }

  receive(): void {
    const turns = this.#plan.session?.turns ?? [];
    const turn = turns[this.#asked];
    if (turn === undefined) return;
    this.#asked += 1;
    const isBroken = this.#plan.fate === 'broken' && this.#asked === turns.length;
    this.#answer(turn, isBroken);
  }

  /** The relay has gone: nothing more is made. */
  closed(): void {
    this.#isOver = true;
  }

  #answer(turn: TurnPlan, isBroken: boolean): void {
    const { chunks, outputTokens, takesMs } = turn;
    const sent = isBroken ? Math.floor(chunks / 2) : chunks;
    const each = Math.floor(outputTokens / chunks);
    for (let nth = 1; nth <= sent; nth += 1) {
      const tokens = nth === chunks ? outputTokens - each * (chunks - 1) : each;
      this.#later((takesMs * nth) / (chunks + 1), () => this.#say.message(pieceOf(tokens)));
    }
    this.#later(takesMs, () => (isBroken ? this.#say.close() : this.#say.message(turnEnd(turn))));
  }

  #later(ms: number, say: () => void): void {
    this.#say.after(ms, () => {
      if (!this.#isOver) say();
    });
  }
}

type Connecting = Readonly<{
  plan: CallPlan;
  open: (socket: SimSocket) => void;
  refuse: () => void;
}>;

/** Opens a session from a relay to the provider, with the relay's end of it. */
export const connectSession = (
  relay: Machine,
  { machine, network }: Pick<Provider, 'machine' | 'network'>,
  { plan, open, refuse }: Connecting,
): void => {
  const { life } = relay;
  const toRelay = (task: () => void): void => {
    network.send(machine, relay, () => {
      if (relay.life === life) task();
    });
  };
  network.send(relay, machine, () => {
    if (plan.fate === 'refused') {
      toRelay(refuse);
      return;
    }
    const session = new ProviderSession(plan, {
      after: (ms, say) => machine.timers.setTimeout(say, ms),
      message: (text) => toRelay(() => socket.receive(text)),
      close: () => toRelay(() => socket.closed()),
    });
    const toProvider = (task: () => void): void => network.send(relay, machine, task);
    const socket = new SimSocket({
      message: () => toProvider(() => session.receive()),
      close: () => toProvider(() => session.closed()),
    });
    toRelay(() => open(socket));
  });
};
