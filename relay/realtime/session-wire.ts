import type { ApiError } from '../protocol/api-error.ts';
import type { Fields, Frame } from './frames.ts';
import type { AnswersHost, SessionAnswers } from './session-answers.ts';
import type { ResponseHost } from './session-response.ts';

/** The notice that ends a session. */
export type SessionEnd = Readonly<{
  /** A last event; null: the protocol has none for errors. */
  event: string | null;
  code: number;
  reason: string;
}>;

/** A protocol of websocket sessions: what its events contain, and what they charge. */
export interface SessionWire {
  readonly answers: SessionAnswers;
  /** Frames of bytes hold events as well as frames of text do. */
  readonly readsBinary: boolean;
  /** Records what a caller sends; an error is reported and the event not passed on. */
  fromClient: (event: Fields) => ApiError | null;
  /** Work to finish before an event of the provider may pass; null: none. */
  fromProvider: (event: Fields) => Promise<void> | null;
  /** A frame of the provider as its caller gets it. */
  shown: (frame: Frame) => Frame;
  /** More output is expected and to be charged, although no answer is in progress. */
  readonly isPending: boolean;
  /** Requests the end of an answer from the provider; null: the protocol has no such event. */
  cancel: (id: string) => string | null;
  /** The end of an answer that the balance cannot carry any further. */
  cutOff: (id: string) => string;
  /** The event that reports a refused event to the caller; null: the protocol has none. */
  refusal: (error: ApiError) => string | null;
  end: (error: ApiError) => SessionEnd;
}

export type WireDeps = Omit<AnswersHost, 'host'> &
  Pick<ResponseHost, 'core' | 'facts' | 'channel' | 'origin'>;

export type MakeWire = (deps: WireDeps) => SessionWire;

const maxReasonBytes = 123;

/** The reason of a close frame, which is short (RFC 6455, section 5.5). */
export const closeReason = (text: string): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxReasonBytes) return text;
  return bytes.subarray(0, maxReasonBytes).toString('utf8').replace(/�+$/, '');
};

export const closeCode = (error: ApiError): number => (error.status >= 500 ? 1011 : 1008);
