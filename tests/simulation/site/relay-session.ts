import { limitsOfModel } from '../../../domain/pricing/model-limits.ts';
import type { Logger } from '../../../infra/ports/logger.ts';
import { clientGoneError } from '../../../relay/delivery/failures.ts';
import type { RelayCore } from '../../../relay/execution/relay-core.ts';
import type { ApiError } from '../../../relay/protocol/api-error.ts';
import { relayError } from '../../../relay/protocol/relay-errors.ts';
import { bookFailedOpen } from '../../../relay/realtime/book-failed-open.ts';
import { LiveTurns } from '../../../relay/realtime/live-turns.ts';
import { Session } from '../../../relay/realtime/session.ts';
import { type SessionPlan, SessionReservation } from '../../../relay/realtime/session-plan.ts';
import type { MakeWire, SessionWire } from '../../../relay/realtime/session-wire.ts';
import { type CallPlan, tokenIdOf } from '../history.ts';
import type { CallTruth } from '../oracle/truth.ts';
import { callerOf } from './caller.ts';
import { channel } from './channel.ts';
import { piecesIn, reportIn, spokenIn } from './live-wire.ts';
import { connectSession } from './provider-session.ts';
import type { RelayCallNeeds } from './relay-call.ts';
import { SessionTurns } from './session-turns.ts';
import type { SimSocket } from './sim-socket.ts';

/** The customer's side of a session, as its relay sees it. */
export type SessionClient = Readonly<{
  socket: SimSocket;
  /** Informs the customer that the session is open. */
  opened: () => void;
  open: (plan: CallPlan) => CallTruth;
  finish: (truth: CallTruth, outcome: 'answered' | 'refused' | 'failed') => void;
}>;

type Needs = RelayCallNeeds &
  Readonly<{ logger: Logger; closedTokens: ReadonlySet<number>; client: SessionClient }>;

const path = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent';
const drainMs = 400;
const charactersPerToken = 4;
const never = Number.POSITIVE_INFINITY;
const nothing = (): void => undefined;
const notOpened = relayError('do_request_failed', 'The provider refused');

/** One realtime session by the product's own session, with sockets of this world. */
export class RelaySession {
  readonly #needs: Needs;
  readonly #turns: SessionTurns;
  #session: Session | null = null;
  #isLeaving = false;

  constructor(needs: Needs) {
    const { truth, client, now, onAsked, onRefused } = needs;
    const { open, finish } = client;
    this.#needs = needs;
    this.#turns = new SessionTurns({ first: truth, open, finish, now, onAsked, onRefused });
  }

  async start(): Promise<void> {
    const { truth, reply } = this.#needs;
    const core = this.#core();
    const plan = this.#plan(core);
    const { sessionReservation } = plan;
    try {
      if (await sessionReservation.fill()) this.#connect(core, plan);
      else reply('refused', `${truth.refusal}, needs ${truth.need}`);
    } catch (error) {
      reply('failed', String(error));
    }
  }

  /** The relay is to stop. */
  leave(): void {
    this.#isLeaving = true;
    this.#session?.leave();
  }

  kill(): void {
    this.#session?.kill();
  }

  #connect(core: RelayCore, plan: SessionPlan): void {
    const { machine, provider, truth, client, reply } = this.#needs;
    const fail = (error: ApiError): void => {
      const failed = { error, channel, tried: [channel.channelId], upstreamModel: '' };
      void bookFailedOpen(core, plan, failed).then(() => reply('failed', error.message));
    };
    connectSession(machine, provider, {
      plan: truth.plan,
      refuse: () => fail(notOpened),
      open: (upstream) => {
        // As the product checks once more before it joins the two sides.
        if (this.#isLeaving || client.socket.readyState !== client.socket.OPEN) {
          upstream.terminate();
          fail(clientGoneError);
          return;
        }
        this.#session = new Session(core, plan, {
          client: client.socket as unknown as ConstructorParameters<typeof Session>[2]['client'],
          upstream: upstream as unknown as ConstructorParameters<typeof Session>[2]['upstream'],
          channel,
          tried: [channel.channelId],
          upstreamModel: '',
          origin: 'https://provider',
          received: () => [],
          makeWire: this.#makeWire,
          onOver: () => reply('answered', 'the session is over'),
        });
        client.opened();
        this.#session.start();
      },
    });
  }

  /** The product's wire, and a copy of what passes for the oracle. */
  readonly #makeWire: MakeWire = (deps) => {
    const turns = this.#turns;
    const wire: SessionWire = new LiveTurns(deps);
    return {
      answers: wire.answers,
      readsBinary: wire.readsBinary,
      isPending: wire.isPending,
      fromClient: (event) => {
        turns.said(spokenIn(event));
        return wire.fromClient(event);
      },
      fromProvider: (event) => {
        turns.heard(piecesIn(event));
        const report = reportIn(event);
        if (report !== null) turns.reported(report);
        return wire.fromProvider(event);
      },
      shown: (frame) => wire.shown(frame),
      cancel: (id) => wire.cancel(id),
      cutOff: (id) => wire.cutOff(id),
      refusal: (error) => wire.refusal(error),
      end: (error) => wire.end(error),
    };
  };

  #core(): RelayCore {
    const { machine, metering, preConsumedTokens, truth, logger, closedTokens } = this.#needs;
    const { customer, token } = truth.plan;
    const tokenId = tokenIdOf(customer, token);
    const { account } = callerOf(truth.plan);
    const entry = { tokenId, userId: account.userId, status: 1, expiredTime: -1, group: '' };
    const core = {
      journal: this.#turns.journal(metering.journal),
      leaseBook: this.#turns.leaseBook(metering.leaseBook),
      clock: machine.clock,
      timers: machine.timers,
      logger,
      counting: {
        billedText: async ({ text }: Readonly<{ text: string }>) =>
          text.length / charactersPerToken,
      },
      meters: { exchangeBegan: nothing, exchangeEnded: nothing },
      ticker: { add: nothing, remove: nothing },
      answerBounds: { maxMs: never, idleMs: never, maxBytes: never },
      settings: { drainMs },
      options: {
        current: () => ({
          prices: { preConsumedTokens },
          filter: { prompt: null },
          openCalls: { allowanceOf: limitsOfModel },
        }),
      },
      tokens: { find: () => (closedTokens.has(tokenId) ? null : { entry, addresses: null }) },
      accounts: { find: () => account },
      nextRequestId: () => this.#turns.nextRequestId(),
    };
    return core as unknown as RelayCore;
  }

  #plan(core: RelayCore): SessionPlan {
    const { truth, quote } = this.#needs;
    const caller = callerOf(truth.plan);
    const req = { url: path, headers: { authorization: 'Bearer sk-customer' } };
    return {
      incoming: {
        requestId: truth.requestId,
        req,
        trace: null,
      } as unknown as SessionPlan['incoming'],
      caller,
      ask: {
        protocol: 'gemini',
        path,
        call: { model: `model-${truth.plan.model}` } as SessionPlan['ask']['call'],
        madeBy: null,
        setup: null,
      },
      group: 'default',
      route: { tiers: [], pinned: channel },
      channel,
      sessionReservation: new SessionReservation(core, caller, quote),
      permit: null,
    };
  }
}
