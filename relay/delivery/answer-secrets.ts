import type { Admitted } from '../admission/admitted.ts';
import type { UpstreamChannel } from '../feeds/upstream-channel.ts';
import { isUsualType } from '../protocol/answer-types.ts';
import type { ApiError } from '../protocol/api-error.ts';
import {
  callerKeyForms,
  channelKeyForms,
  type KeyForms,
  noForms,
  shortestKey,
} from './key-forms.ts';
import { KeyMask, masked, maskedText } from './key-mask.ts';

/** An error with every text of it masked. */
export const maskedError = (error: ApiError, forms: KeyForms): ApiError => {
  const { message, type, code, param } = error;
  return {
    ...error,
    message: maskedText(message, forms),
    type: maskedText(type, forms),
    code: typeof code === 'string' ? maskedText(code, forms) : code,
    ...(typeof param === 'string' ? { param: maskedText(param, forms) } : {}),
  };
};

/** What an answer must not show: the key of its channel and the caller's own token. */
export class AnswerSecrets {
  private readonly call: Pick<Admitted, 'req' | 'caller'>;
  private readonly channelOf: () => UpstreamChannel;

  constructor(call: Pick<Admitted, 'req' | 'caller'>, channelOf: () => UpstreamChannel) {
    this.call = call;
    this.channelOf = channelOf;
  }

  /** For an answer that arrives in pieces. */
  mask(): KeyMask {
    return new KeyMask([channelKeyForms(this.channelOf()), this.token]);
  }

  whole(bytes: Buffer): Buffer {
    return this.mask().last(bytes);
  }

  /** A content type. */
  type(text: string): string {
    if (isUsualType(text) || text.length < shortestKey) return text;
    return maskedText(maskedText(text, channelKeyForms(this.channelOf())), this.token);
  }

  withoutToken(bytes: Buffer): Buffer {
    return masked(bytes, this.token);
  }

  /** An error in a provider's words; the key of its channel is masked where the error is made. */
  error(error: ApiError): ApiError {
    return maskedError(error, this.token);
  }

  private get token(): KeyForms {
    const { req, caller } = this.call;
    return caller.token === null ? noForms : callerKeyForms(req, caller.token);
  }
}
