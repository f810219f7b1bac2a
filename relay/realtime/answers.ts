import { identify, isApiError } from '../admission/caller.ts';
import type { ApiError } from '../ingress/api-error.ts';
import { failedTurn } from './ends.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { type Terms, turnOf } from './terms.ts';
import { bookTranscript, transcriptDone } from './transcript.ts';
import type { Turn, TurnHost } from './turn.ts';

/** Answers and transcripts that were booked; a provider may say the end of one twice. */
const mostEnded = 256;

type AnswersHost = Readonly<{
  host: TurnHost;
  terms: Terms;
  /** Nobody pays for more, or the key was switched off. */
  stop: (error: ApiError) => void;
  /** An answer is in the books, whole. */
  onAnswered: () => void;
}>;

/** What of a session is paid: its answers, and what was written down of its caller's words. */
export class Answers {
  private readonly deps: AnswersHost;
  private readonly turns = new Map<string, Turn>();
  private readonly ended = new Set<string>();
  private hasBegun = false;
  private over = false;

  constructor(deps: AnswersHost) {
    this.deps = deps;
  }

  /** Those on their way. */
  get open(): readonly string[] {
    return [...this.turns.keys()];
  }

  /** What must be done before an event of the provider may pass; null: nothing. */
  hear(event: Fields): Promise<void> | null {
    const { heard } = this.deps.host;
    const type = textAt(event, 'type');
    if (type === 'session.created' || type === 'session.updated') heard.session(event.session);
    heard.awaited.fromProvider(event, type, heard.transcriptModel !== '');
    if (type === 'response.created') return this.begin(textAt(event.response, 'id'));
    if (type === 'response.done') return this.complete(event.response);
    if (type === transcriptDone) return this.writeDown(event);
    if (type.startsWith('input_audio_buffer.')) heard.spoken.fromProvider(event, type);
    const turn = this.turns.get(textAt(event, 'response_id')) ?? this.onlyTurn;
    if (turn !== null && !turn.read(event, type)) this.deps.stop(this.refusal);
    return null;
  }

  /** Nothing more begins; what was on its way is the caller's to end. */
  close(): readonly Turn[] {
    this.over = true;
    const open = [...this.turns.values()];
    this.turns.clear();
    return open;
  }

  private get refusal(): ApiError {
    return this.deps.terms.purse.refusal;
  }

  private get onlyTurn(): Turn | null {
    const [turn] = this.turns.values();
    return this.turns.size === 1 ? (turn ?? null) : null;
  }

  private async begin(id: string): Promise<void> {
    if (this.turns.has(id) || this.ended.has(id)) return;
    const { host, terms, stop } = this.deps;
    const barred = await this.bar();
    const reservation = barred === null ? await terms.purse.take() : null;
    if (reservation === null || this.over) {
      if (reservation !== null) host.core.leaseBook.settle(reservation, 0);
      stop(barred ?? this.refusal);
      return;
    }
    const turn = turnOf(host, terms, { reservation, isFirst: !this.hasBegun });
    this.hasBegun = true;
    this.turns.set(id, turn);
    turn.start();
  }

  private async complete(response: unknown): Promise<void> {
    const id = textAt(response, 'id');
    if (this.ended.has(id)) return;
    if (!this.turns.has(id)) await this.begin(id);
    const turn = this.turns.get(id);
    if (turn === undefined || this.over) return;
    this.turns.delete(id);
    if (id !== '') this.end(id);
    const usage = isFields(response) ? response.usage : undefined;
    const isFailed = textAt(response, 'status') === 'failed' && !isFields(usage);
    const amount = isFailed ? await turn.failed(failedTurn) : await turn.done(usage);
    this.deps.terms.purse.spent(amount);
    if (!this.over) this.deps.onAnswered();
  }

  /** What the caller said was written down, which is paid apart from the answers. */
  private async writeDown(event: Fields): Promise<void> {
    const id = `${textAt(event, 'item_id')} ${event.content_index}`;
    if (this.ended.has(id)) return;
    this.end(id);
    const { host, terms, stop } = this.deps;
    const { meters } = host.core;
    meters.exchangeBegan(true);
    try {
      const reservation = await terms.purse.take();
      if (reservation === null) stop(this.refusal);
      else await bookTranscript(host, terms, { event, reservation });
    } finally {
      meters.exchangeEnded(true);
    }
    const barred = await this.bar();
    if (barred !== null) stop(barred);
  }

  /** Whatever the provider says of it again is not paid again. */
  private end(id: string): void {
    this.ended.add(id);
    for (const old of this.ended) if (this.ended.size > mostEnded) this.ended.delete(old);
  }

  /** A key that was switched off while the session ran opens no more answers. */
  private async bar(): Promise<ApiError | null> {
    const { host, terms } = this.deps;
    const caller = await identify(host.core, terms.incoming.req, host.core.clock().getTime());
    return isApiError(caller) ? caller : null;
  }
}
