import type { RawData } from 'ws';
import { cutOffNotice } from '../delivery/stream-events.ts';
import type { ApiError } from '../protocol/api-error.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type Frame = Readonly<{ bytes: Buffer; isBinary: boolean }>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
};

/** The event in a frame; null: it is not JSON. */
export const eventOf = (frame: Buffer): Fields | null => {
  try {
    const value: unknown = JSON.parse(frame.toString('utf8'));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
};

export const textAt = (value: unknown, name: string): string => {
  const found = isFields(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : '';
};

/** An error event of this protocol. */
export const errorEvent = (error: ApiError, requestId: string): string =>
  JSON.stringify({
    type: 'error',
    event_id: `evt_${requestId}`,
    error: {
      type: error.type,
      code: error.code,
      message: `${error.message} (request id: ${requestId})`,
      param: null,
      event_id: null,
    },
  });

/** The end of a response that the balance cannot carry any further. */
export const cutOffEvent = (responseId: string, requestId: string): string =>
  JSON.stringify({
    type: 'response.done',
    event_id: `evt_${requestId}_${responseId}`,
    response: {
      id: responseId,
      object: 'realtime.response',
      status: 'incomplete',
      status_details: { type: 'incomplete', reason: 'max_output_tokens' },
      output: [],
      usage: null,
    },
    notice: cutOffNotice(requestId, 'quota'),
  });

/** A caller's request; such a session would have no responses to charge. */
export const asksForTranscription = (event: Fields): boolean =>
  event.type === 'transcription_session.update' ||
  (event.type === 'session.update' && textAt(event.session, 'type') === 'transcription');

/** Either side's event; a session that translates reports neither responses nor usage. */
export const isTranslation = (event: Fields): boolean =>
  textAt(event.session, 'type') === 'translation';
