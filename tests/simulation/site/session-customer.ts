import type { CallPlan } from '../history.ts';
import type { Machine } from '../world/machine.ts';
import type { World } from '../world/world.ts';
import { endsTurn, questionOf } from './live-wire.ts';
import { SimSocket } from './sim-socket.ts';

/** A customer in a realtime session: sends a question, receives the turn, and sends the next. */
export class SessionCustomer {
  /** The relay's end of the connection. */
  readonly socket: SimSocket;
  readonly #world: World;
  readonly #relay: Machine;
  /** Of the process that it is connected to. */
  readonly #life: number;
  readonly #plan: CallPlan;
  #asked = 0;

  constructor(world: World, relay: Machine, plan: CallPlan) {
    const { network, outside } = world;
    this.#world = world;
    this.#relay = relay;
    this.#life = relay.life;
    this.#plan = plan;
    const tell = (task: () => void): void => network.send(relay, outside, task);
    this.socket = new SimSocket({
      message: (text) => tell(() => this.#hear(text)),
      close: () => undefined,
    });
  }

  /** The session is open. */
  begin(): void {
    this.#toRelay(() => this.#ask());
  }

  leave(): void {
    this.#toRelay(() => this.socket.closed());
  }

  #hear(text: string): void {
    if (!endsTurn(text)) return;
    if (this.#asked < (this.#plan.session?.turns.length ?? 0)) this.begin();
    else this.leave();
  }

  #ask(): void {
    const turn = this.#plan.session?.turns[this.#asked];
    this.#asked += 1;
    if (turn !== undefined) this.socket.receive(questionOf(turn));
  }

  #toRelay(task: () => void): void {
    const { network, outside } = this.#world;
    network.send(outside, this.#relay, () => {
      if (this.#relay.life === this.#life) task();
    });
  }
}
