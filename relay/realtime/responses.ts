import { identify } from '../admission/caller.ts';
import { usageNotRecordable } from '../admission/refusals.ts';
import type { ApiError } from '../protocol/api-error.ts';
import { isApiError } from '../protocol/api-error.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { responseFailed } from './session-errors.ts';
import { responseOf, type SessionPlan } from './session-plan.ts';
import type { ResponseHost, SessionResponse } from './session-response.ts';
import { bookTranscript, transcriptDone } from './transcript.ts';

/** Recorded responses and transcripts: a provider may report the end of one twice. */
const maxEnded = 256;

type ResponsesHost = Readonly<{
  host: ResponseHost;
  plan: SessionPlan;
  /** More is not funded, or the key was disabled. */
  stop: (error: ApiError) => void;
  /** A response is complete and recorded. */
  onResponseDone: () => void;
}>;

/** The charged parts of a session: its responses and its transcripts of input audio. */
export class SessionResponses {
  private readonly deps: ResponsesHost;
  private readonly running = new Map<string, SessionResponse>();
  private readonly ended = new Set<string>();
  private hasBegun = false;
  private over = false;

  constructor(deps: ResponsesHost) {
    this.deps = deps;
  }

  /** Ids of responses in progress. */
  get open(): readonly string[] {
    return [...this.running.keys()];
  }

  /** Work to finish before an event of the provider may pass; null: none. */
  handle(event: Fields): Promise<void> | null {
    const { input } = this.deps.host;
    const type = textAt(event, 'type');
    if (type === 'session.created' || type === 'session.updated') input.session(event.session);
    input.pendingTranscripts.fromProvider(event, type, input.transcriptModel !== '');
    if (type === 'response.created') return this.begin(textAt(event.response, 'id'));
    if (type === 'response.done') return this.complete(event.response);
    if (type === transcriptDone) return this.transcribe(event);
    if (type.startsWith('input_audio_buffer.')) input.speech.fromProvider(event, type);
    const response = this.running.get(textAt(event, 'response_id')) ?? this.onlyResponse;
    return response === null ? null : response.read(event, type);
  }

  /** Responses in progress of which no more is funded. */
  get unfunded(): readonly string[] {
    return [...this.running].filter(([, { isUnfunded }]) => isUnfunded).map(([id]) => id);
  }

  /** No more responses begin; the caller ends those that it gets. */
  close(): readonly SessionResponse[] {
    this.over = true;
    const open = [...this.running.values()];
    this.running.clear();
    return open;
  }

  private get refusal(): ApiError {
    return this.deps.plan.sessionReservation.refusal;
  }

  private get onlyResponse(): SessionResponse | null {
    const [response] = this.running.values();
    return this.running.size === 1 ? (response ?? null) : null;
  }

  private async begin(id: string): Promise<void> {
    if (this.running.has(id) || this.ended.has(id)) return;
    const { host, plan, stop } = this.deps;
    const refused = host.core.journal.accepting() ? await this.recheckKey() : usageNotRecordable;
    const reservation = refused === null ? await plan.sessionReservation.take() : null;
    if (reservation === null || this.over) {
      if (reservation !== null) host.core.leaseBook.settle(reservation, 0);
      stop(refused ?? this.refusal);
      return;
    }
    const response = responseOf(host, plan, { reservation, isFirst: !this.hasBegun });
    this.hasBegun = true;
    this.running.set(id, response);
    response.start();
  }

  private async complete(reported: unknown): Promise<void> {
    const id = textAt(reported, 'id');
    if (this.ended.has(id)) return;
    if (!this.running.has(id)) await this.begin(id);
    const response = this.running.get(id);
    if (response === undefined || this.over) return;
    this.running.delete(id);
    if (id !== '') this.end(id);
    const usage = isFields(reported) ? reported.usage : undefined;
    const isFailed = textAt(reported, 'status') === 'failed' && !isFields(usage);
    const amount = isFailed ? await response.failed(responseFailed) : await response.done(usage);
    this.deps.plan.sessionReservation.spent(amount);
    if (!this.over) this.deps.onResponseDone();
  }

  /** A transcript of input audio, charged apart from the responses. */
  private async transcribe(event: Fields): Promise<void> {
    const id = `${textAt(event, 'item_id')} ${event.content_index}`;
    if (this.ended.has(id)) return;
    this.end(id);
    const { host, plan, stop } = this.deps;
    const { meters } = host.core;
    meters.exchangeBegan(true);
    try {
      const reservation = await plan.sessionReservation.take();
      if (reservation === null) stop(this.refusal);
      else await bookTranscript(host, plan, { event, reservation });
    } finally {
      meters.exchangeEnded(true);
    }
    const refused = await this.recheckKey();
    if (refused !== null) stop(refused);
  }

  /** Later reports of the same id are not charged again. */
  private end(id: string): void {
    this.ended.add(id);
    for (const old of this.ended) if (this.ended.size > maxEnded) this.ended.delete(old);
  }

  /** A key that was disabled during the session begins no more responses. */
  private async recheckKey(): Promise<ApiError | null> {
    const { host, plan } = this.deps;
    const caller = await identify(host.core, plan.incoming.req, host.core.clock().getTime());
    return isApiError(caller) ? caller : null;
  }
}
