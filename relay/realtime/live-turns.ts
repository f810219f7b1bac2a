import type { ChannelId } from '../../domain/shared/ids.ts';
import { cutOffNotice } from '../delivery/stream-events.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Fields, Frame } from './frames.ts';
import { type ResumptionHandles, resumptionHandles, withOwnHandle } from './live-handles.ts';
import { memberOf } from './live-setup.ts';
import { LiveInput, liveUsage, readLiveOutput } from './live-usage.ts';
import { SessionAnswers } from './session-answers.ts';
import type { SessionPlan } from './session-plan.ts';
import {
  closeCode,
  closeReason,
  type SessionEnd,
  type SessionWire,
  type WireDeps,
} from './session-wire.ts';

type Turn = {
  id: string;
  /** The last report of usage; each holds the whole turn so far. */
  usage: unknown;
  /** The model asked for tools, and goes on when it has their results. */
  askedForTools: boolean;
};

/** What a message of the provider says about a turn. */
type Said = Readonly<{ makes: boolean; asks: boolean; ends: boolean; usage: unknown }>;

const saidIn = (event: Fields): Said => {
  const content = memberOf(event, 'serverContent', 'server_content');
  const asks = memberOf(event, 'toolCall', 'tool_call') !== undefined;
  return {
    makes: asks || memberOf(content, 'modelTurn', 'model_turn') !== undefined,
    asks,
    ends: memberOf(content, 'turnComplete', 'turn_complete') === true,
    usage: memberOf(event, 'usageMetadata', 'usage_metadata'),
  };
};

/**
 * Gemini's Live protocol: each turn of the model is charged. Turns have no names; one begins with
 * output or a report of usage, and ends with `turnComplete`. A model that asked for tools and
 * reported usage begins another turn when it goes on.
 */
export class LiveTurns implements SessionWire {
  readonly answers: SessionAnswers;
  readonly readsBinary = true;
  readonly isPending = false;
  private readonly input = new LiveInput();
  private readonly plan: SessionPlan;
  private readonly handles: ResumptionHandles;
  private readonly made: Readonly<{ channelId: ChannelId }>;
  private turn: Turn | null = null;
  private begun = 0;
  /** The last turn was charged by its measure: a report that comes late is about it. */
  private wasMeasured = false;

  constructor(deps: WireDeps) {
    const { core, facts, plan } = deps;
    const { input } = this;
    const host = { core, facts, input, readOutput: readLiveOutput, usageIn: liveUsage };
    this.plan = plan;
    this.handles = resumptionHandles(core.vault, plan.caller.account.userId);
    this.made = { channelId: facts.channelId };
    this.answers = new SessionAnswers({ ...deps, host });
  }

  fromClient(event: Fields): null {
    this.input.fromClient(event);
    return null;
  }

  fromProvider(event: Fields): Promise<void> | null {
    const said = saidIn(event);
    if (!said.makes && !said.ends && said.usage === undefined) return null;
    const { turn } = this;
    if (turn === null || said.ends || this.goesOn(turn, said)) return this.step(event, said);
    this.note(turn, said);
    return this.answers.find(turn.id)?.read(event) ?? null;
  }

  shown(frame: Frame): Frame {
    return withOwnHandle(frame, (handle) => this.handles.shown({ ...this.made, handle }));
  }

  cancel(): null {
    return null;
  }

  cutOff(): string {
    return JSON.stringify({
      serverContent: { turnComplete: true },
      notice: cutOffNotice(this.plan.incoming.requestId, 'quota'),
    });
  }

  refusal(): null {
    return null;
  }

  end(error: ApiError): SessionEnd {
    const reason = closeReason(`${error.message} (request id: ${this.plan.incoming.requestId})`);
    return { event: null, code: closeCode(error), reason };
  }

  /** The model has the results of its tools, and what it did before them is reported. */
  private goesOn({ askedForTools, usage }: Turn, { makes }: Said): boolean {
    return makes && askedForTools && usage !== undefined;
  }

  private note(turn: Turn, { asks, usage }: Said): void {
    if (asks) turn.askedForTools = true;
    if (usage !== undefined) turn.usage = usage;
  }

  private async step(event: Fields, said: Said): Promise<void> {
    if (this.turn !== null && this.goesOn(this.turn, said)) await this.complete(this.turn);
    const turn = this.turn ?? (await this.begin(said));
    if (turn === null) return;
    this.note(turn, said);
    await this.answers.find(turn.id)?.read(event);
    if (said.ends) await this.complete(turn);
  }

  private async begin({ makes, usage }: Said): Promise<Turn | null> {
    if (!makes && (usage === undefined || this.wasMeasured)) return null;
    this.begun += 1;
    const turn = { id: `turn ${this.begun}`, usage: undefined, askedForTools: false };
    await this.answers.begin(turn.id);
    if (this.answers.find(turn.id) === null) return null;
    this.turn = turn;
    return turn;
  }

  private async complete({ id, usage }: Turn): Promise<void> {
    this.turn = null;
    this.wasMeasured = liveUsage(usage) === null;
    await this.answers.complete(id, usage);
  }
}
