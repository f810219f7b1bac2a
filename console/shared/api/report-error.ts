import type { TFunction } from 'i18next';
import { toast } from '../toast.ts';
import { ApiError } from './api-error.ts';

type Translate = TFunction<'common'>;

const isAboutSecondFactor = ({ code }: ApiError): boolean =>
  code.startsWith('auth.second-factor-') || code === 'auth.password-required';

/** What a user reads for a failed call. A lost session has its own page and gets no text. */
export const errorText = (error: unknown, t: Translate): string => {
  if (!(error instanceof ApiError)) return t('error.unexpected');
  if (error.kind === 'refused') return error.message || t('error.refused');
  if (error.kind === 'network') return t('error.network', { message: error.message });
  if (isAboutSecondFactor(error)) return error.message;
  if (error.status === 401) return t('error.expired');
  if (error.status === 429) return t('error.too-many');
  if (error.status === 500) return t('error.server');
  if (error.status === 405) return t('error.demo');
  return t('error.other', { message: error.message });
};

/** A refusal is about the user's input; a fault is for the administrator, who needs the id. */
export const reportError = (error: unknown, t: Translate): void => {
  if (error instanceof ApiError && error.status === 401) return;
  const text = errorText(error, t);
  const isFault =
    error instanceof ApiError &&
    error.kind === 'http' &&
    error.requestId !== '' &&
    !isAboutSecondFactor(error);
  const kind = error instanceof ApiError && error.status === 405 ? 'info' : 'error';
  toast(kind, isFault ? `${text} (${error.requestId})` : text);
};
