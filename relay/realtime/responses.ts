import type { ApiError } from '../protocol/api-error.ts';
import { realtimeUsage } from '../providers/shared/realtime.ts';
import {
  asksForTranscription,
  cutOffEvent,
  errorEvent,
  type Fields,
  type Frame,
  isFields,
  isTranslation,
  textAt,
} from './frames.ts';
import { SessionAnswers } from './session-answers.ts';
import { transcriptionNotOffered, translationNotOffered } from './session-errors.ts';
import type { SessionPlan } from './session-plan.ts';
import { readDelta, SessionInput } from './session-usage.ts';
import { closeCode, type SessionEnd, type SessionWire, type WireDeps } from './session-wire.ts';
import { bookTranscript, type TranscriptHost, transcriptDone } from './transcript.ts';

/** OpenAI's realtime protocol: its responses and its transcripts of input audio are charged. */
export class SessionResponses implements SessionWire {
  readonly answers: SessionAnswers;
  readonly readsBinary = false;
  private readonly host: TranscriptHost;
  private readonly plan: SessionPlan;
  private readonly stop: (error: ApiError) => void;

  constructor(deps: WireDeps) {
    const { core, facts, channel, origin, plan, stop } = deps;
    const input = new SessionInput();
    this.host = {
      ...{ core, facts, channel, origin, input },
      readOutput: (event, output) => readDelta(output, { event, format: input.outputFormat }),
      usageIn: realtimeUsage,
    };
    this.plan = plan;
    this.stop = stop;
    this.answers = new SessionAnswers({ ...deps, host: this.host });
  }

  fromClient(event: Fields): ApiError | null {
    if (asksForTranscription(event)) return transcriptionNotOffered;
    if (isTranslation(event)) return translationNotOffered;
    this.host.input.fromClient(event);
    return null;
  }

  fromProvider(event: Fields): Promise<void> | null {
    if (isTranslation(event)) {
      this.stop(translationNotOffered);
      return null;
    }
    const { answers } = this;
    const { input } = this.host;
    const type = textAt(event, 'type');
    if (type === 'session.created' || type === 'session.updated') input.session(event.session);
    input.pendingTranscripts.fromProvider(event, type, input.transcriptModel !== '');
    if (type === 'response.created') return answers.begin(textAt(event.response, 'id'));
    if (type === 'response.done') return this.complete(event.response);
    if (type === transcriptDone) return this.transcribe(event);
    if (type.startsWith('input_audio_buffer.')) input.speech.fromProvider(event, type);
    const response = answers.find(textAt(event, 'response_id')) ?? answers.only;
    return response === null ? null : response.read(event);
  }

  shown(frame: Frame): Frame {
    return frame;
  }

  get isPending(): boolean {
    return this.host.input.pendingTranscripts.isAny;
  }

  cancel(id: string): string {
    return JSON.stringify({ type: 'response.cancel', response_id: id });
  }

  cutOff(id: string): string {
    return cutOffEvent(id, this.plan.incoming.requestId);
  }

  refusal(error: ApiError): string {
    return errorEvent(error, this.plan.incoming.requestId);
  }

  end(error: ApiError): SessionEnd {
    const reason = error.code?.toString() ?? '';
    return { event: this.refusal(error), code: closeCode(error), reason };
  }

  private complete(reported: unknown): Promise<void> {
    const usage = isFields(reported) ? reported.usage : undefined;
    const isFailed = textAt(reported, 'status') === 'failed' && !isFields(usage);
    return this.answers.complete(textAt(reported, 'id'), usage, isFailed);
  }

  /** A transcript of input audio, charged apart from the responses. */
  private async transcribe(event: Fields): Promise<void> {
    const { answers, host, plan, stop } = this;
    if (!answers.claim(`${textAt(event, 'item_id')} ${event.content_index}`)) return;
    const { meters } = host.core;
    meters.exchangeBegan(true);
    try {
      const reservation = await plan.sessionReservation.take();
      if (reservation === null) stop(answers.refusal);
      else await bookTranscript(host, plan, { event, reservation });
    } finally {
      meters.exchangeEnded(true);
    }
    const refused = await answers.recheckKey();
    if (refused !== null) stop(refused);
  }
}
