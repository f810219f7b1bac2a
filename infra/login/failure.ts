import type { LoginFailure } from '../ports/logins.ts';

export const failed = (failure: LoginFailure['failure'], reason: string): LoginFailure => ({
  failure,
  reason,
});

export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
};

export const isFailure = <T>(value: T | LoginFailure): value is LoginFailure =>
  typeof value === 'object' && value !== null && 'failure' in value;
