import type { ChannelId } from '../../domain/shared/ids.ts';
import { cutOffNotice } from '../delivery/stream-events.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import type { ApiError } from '../protocol/api-error.ts';
import type { Fields, Frame } from './frames.ts';
import { type ResumptionHandles, resumptionHandles, withOwnHandle } from './live-handles.ts';
import { memberOf } from './live-setup.ts';
import { LiveInput, liveUsage, promptTokensIn, readLiveOutput } from './live-usage.ts';
import { SessionAnswers } from './session-answers.ts';
import type { SessionPlan } from './session-plan.ts';
import {
  closeCode,
  closeReason,
  type SessionEnd,
  type SessionWire,
  type WireDeps,
} from './session-wire.ts';

type Turn = Readonly<{
  id: string;
  startedAtMs: number;
  /** Each of what was done since the one before. */
  reports: unknown[];
}>;

/* A long turn is charged in parts: models that translate speech never end theirs. */
const maxTurnMs = 60_000;
const maxPromptTokens = 131_072;

/** What a message of the provider contains about a turn. */
type Progress = Readonly<{ makes: boolean; ends: boolean; usage: unknown }>;

const progressIn = (event: Fields): Progress => {
  const content = memberOf(event, 'serverContent', 'server_content');
  return {
    makes:
      memberOf(event, 'toolCall', 'tool_call') !== undefined ||
      memberOf(content, 'modelTurn', 'model_turn') !== undefined,
    ends: memberOf(content, 'turnComplete', 'turn_complete') === true,
    usage: memberOf(event, 'usageMetadata', 'usage_metadata'),
  };
};

/**
 * Gemini's Live protocol: each turn of the model is charged. Turns have no names; one begins with
 * output or a report of usage, and ends with `turnComplete`.
 */
export class LiveTurns implements SessionWire {
  readonly answers: SessionAnswers;
  readonly readsBinary = true;
  readonly isPending = false;
  private readonly input = new LiveInput();
  private readonly core: RelayCore;
  private readonly plan: SessionPlan;
  private readonly handles: ResumptionHandles;
  private readonly made: Readonly<{ channelId: ChannelId }>;
  private turn: Turn | null = null;
  private begun = 0;
  /** The last turn was charged by its measure: a late report is about it. */
  private wasMeasured = false;

  constructor(deps: WireDeps) {
    const { core, facts, channel, origin, plan } = deps;
    const { input } = this;
    const shared = { core, facts, channel, origin, input };
    const host = { ...shared, readOutput: readLiveOutput, usageIn: liveUsage };
    this.core = core;
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
    const progress = progressIn(event);
    if (!progress.makes && !progress.ends && progress.usage === undefined) return null;
    const { turn } = this;
    if (turn === null || progress.ends || this.isLong(turn, progress))
      return this.step(event, progress);
    return this.read(event, { turn, progress });
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

  /** With this report the turn has taken so much that it is charged before it ends. */
  private isLong({ startedAtMs, reports }: Turn, { usage }: Progress): boolean {
    if (usage === undefined) return false;
    const prompt = [...reports, usage].reduce<number>((sum, one) => sum + promptTokensIn(one), 0);
    return prompt >= maxPromptTokens || this.nowMs() - startedAtMs >= maxTurnMs;
  }

  /** What a message makes is read before its report, which covers it. */
  private read(
    event: Fields,
    { turn, progress }: Readonly<{ turn: Turn; progress: Progress }>,
  ): Promise<void> | null {
    const { id, reports } = turn;
    const answer = this.answers.find(id);
    const funded = answer?.read(event) ?? null;
    if (progress.usage !== undefined) {
      reports.push(progress.usage);
      answer?.report(reports);
    }
    return funded;
  }

  private async step(event: Fields, progress: Progress): Promise<void> {
    const turn = this.turn ?? (await this.begin(progress));
    if (turn === null) return;
    const isLong = this.isLong(turn, progress);
    await this.read(event, { turn, progress });
    if (progress.ends || isLong) await this.complete(turn);
  }

  private async begin({ makes, usage }: Progress): Promise<Turn | null> {
    const isLate = this.wasMeasured && !makes;
    this.wasMeasured = false;
    if (isLate || (!makes && usage === undefined)) return null;
    this.begun += 1;
    const turn = { id: `turn ${this.begun}`, startedAtMs: this.nowMs(), reports: [] };
    await this.answers.begin(turn.id);
    if (this.answers.find(turn.id) === null) return null;
    this.turn = turn;
    return turn;
  }

  private async complete({ id, reports }: Turn): Promise<void> {
    this.turn = null;
    this.wasMeasured = liveUsage(reports) === null;
    await this.answers.complete(id, reports.length === 0 ? undefined : reports);
  }

  private nowMs(): number {
    return this.core.clock().getTime();
  }
}
