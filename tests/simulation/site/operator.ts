import type { AccountCommand } from '../../../domain/account/commands.ts';
import { roomOf } from '../../../domain/account/room.ts';
import { redemptionDecider } from '../../../domain/redemption/decider.ts';
import { redemptionStreamId } from '../../../domain/redemption/stream.ts';
import type { Metadata } from '../../../domain/shared/event.ts';
import { tokenDecider } from '../../../domain/token/decider.ts';
import { tokenStreamId } from '../../../domain/token/stream.ts';
import { type Action, type ModelPrice, tokenIdOf, userIdOf } from '../history.ts';
import type { Ledger } from '../oracle/ledger.ts';
import type { World } from '../world/world.ts';
import type { ControlProcess } from './control-process.ts';
import { codeOfAction, operatorId, termsOf } from './founding.ts';

/** A credit that was confirmed to a customer, or requested. */
export type Credit = {
  readonly userId: number;
  readonly code: number;
  readonly amount: number;
  isConfirmed: boolean;
};

type Wish = (control: ControlProcess, metadata: Metadata) => Promise<unknown>;

/**
 * A person retries this often, each time with the same idempotency key, until there is an answer.
 */
const retryMs = 3_000;
const mostTries = 6;

/**
 * For this long after a token is deleted relays accept calls on it: their feeds are a moment later.
 */
const feedMs = 100;

/** The people who run the site, and customers at its console. */
export class Operator {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly credits: Credit[] = [];
  /** Commands without an answer that are sent again. */
  readonly #open = new Set<string>();

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** `index`: of the action in the history. False when there is nothing to do. */
  act(action: Action, index: number): boolean {
    if (action.kind === 'change-price') {
      this.#changePrice(action.model, action.price);
      return true;
    }
    const wish = this.#wishOf(action, index);
    if (wish === null) return false;
    this.#world.note('operator', JSON.stringify(action));
    this.#ask(wish, `action-${index}`, 1);
    return true;
  }

  #wishOf(action: Action, index: number): Wish | null {
    switch (action.kind) {
      case 'top-up':
        return this.#topUp(userIdOf(action.customer), codeOfAction(index), action.amount);
      case 'adjust':
        return this.#adjust(userIdOf(action.customer), action.delta);
      case 'empty-balance': {
        const userId = userIdOf(action.customer);
        return this.#adjust(userId, -this.#ledger.book(userId).balance);
      }
      case 'set-budget':
        return this.#setBudget(action.customer, action.token, action.remain);
      case 'delete-token':
        return this.#deleteToken(action.customer, action.token);
      case 'correct':
      case 'refund':
        return this.#giveBack(action.kind, userIdOf(action.customer), action.percent);
      default:
        return null;
    }
  }

  /** Reaches each relay in its own time, as the feed of options does. */
  #changePrice(model: number, price: ModelPrice): void {
    const { network, outside, relays, prices } = this.#world;
    prices[model] = price;
    for (const { host, current } of relays) {
      network.send(outside, host.machine, () => current().setPrice(model, price));
    }
  }

  #topUp(userId: number, redemptionId: number, amount: number): Wish {
    const credit: Credit = { userId, code: redemptionId, amount, isConfirmed: false };
    this.credits.push(credit);
    return async ({ commands, keeper }, metadata) => {
      // As the console API has it: what does not fit is refused before the code is used up.
      const account = await keeper.summary(userId);
      const command = {
        type: 'RedeemCode' as const,
        data: { redemptionId, userId, room: roomOf(account ?? { balance: 0, used: 0 }) },
        metadata,
      };
      const streamId = redemptionStreamId(redemptionId);
      const result = await commands.handle(redemptionDecider, streamId, command);
      if (result.kind === 'accepted') credit.isConfirmed = true;
    };
  }

  #adjust(userId: number, delta: number): Wish | null {
    if (delta === 0) return null;
    return this.#account((metadata) => ({
      type: 'AdjustQuota',
      data: { userId, delta, seen: null, reason: { kind: 'other', note: 'by hand' } },
      metadata,
    }));
  }

  #setBudget(customer: number, token: number, remain: number | null): Wish {
    const tokenId = tokenIdOf(customer, token);
    const userId = userIdOf(customer);
    const data = { tokenId, userId, terms: termsOf(remain), setsBudget: true };
    return ({ commands }, metadata) =>
      commands.handle(tokenDecider, tokenStreamId(tokenId), {
        type: 'ChangeToken',
        data,
        metadata,
      });
  }

  #deleteToken(customer: number, token: number): Wish {
    const tokenId = tokenIdOf(customer, token);
    const userId = userIdOf(customer);
    return async ({ commands }, metadata) => {
      const command = { type: 'DeleteToken' as const, data: { tokenId, userId }, metadata };
      await commands.handle(tokenDecider, tokenStreamId(tokenId), command);
      const { scheduler, closedTokens } = this.#world;
      scheduler.after(feedMs, () => closedTokens.add(tokenId));
    };
  }

  /** Of the newest call that was charged; tasks are refunded by how they end, and corrected by people. */
  #giveBack(kind: 'correct' | 'refund', userId: number, percent: number): Wish | null {
    const { charges } = this.#ledger.book(userId);
    const charge =
      kind === 'refund'
        ? charges.findLast(({ data }) => data.call.task === undefined)
        : charges.at(-1);
    if (charge === undefined) return null;
    const { requestId } = charge;
    const amount = Math.max(1, Math.floor((charge.amount * percent) / 100));
    if (kind === 'refund') {
      return this.#account((metadata) => ({
        type: 'RefundRequest',
        data: { userId, requestId, amount, reason: 'by hand' },
        metadata,
      }));
    }
    return this.#account((metadata) => ({
      type: 'PostCorrection',
      data: { userId, delta: amount, corrects: [requestId], reason: 'dispute' },
      metadata,
    }));
  }

  #account(commandOf: (metadata: Metadata) => AccountCommand): Wish {
    return ({ keeper }, metadata) => keeper.execute(commandOf(metadata));
  }

  #ask(wish: Wish, commandId: string, attempt: number): void {
    const { scheduler, network, outside, keepers, dice } = this.#world;
    let isAnswered = false;
    this.#open.add(commandId);
    const up = keepers.filter(({ host }) => host.isReady);
    scheduler.after(retryMs, () => {
      if (isAnswered) return;
      if (attempt < mostTries) this.#ask(wish, commandId, attempt + 1);
      else this.#open.delete(commandId);
    });
    if (up.length === 0) return;
    const keeper = dice.pick(up);
    const { machine } = keeper.host;
    const answer = (): void => {
      network.send(machine, outside, () => {
        isAnswered = true;
        this.#open.delete(commandId);
      });
    };
    network.send(outside, machine, () => {
      const metadata: Metadata = {
        actor: { kind: 'admin', id: String(operatorId) },
        correlationId: commandId,
        causationId: commandId,
        commandId,
        occurredAt: machine.clock().toISOString(),
      };
      // Without an answer the person retries.
      wish(keeper.current(), metadata).then(answer, () => undefined);
    });
  }
}
