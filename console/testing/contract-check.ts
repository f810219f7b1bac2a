import { type ZodType, z } from 'zod';
import { answerSchemas } from '../../infra/web/route.ts';
import { exactly, routeOf } from '../../tests/support/declared-routes.ts';
import { isRecord } from '../shared/local-values.ts';

const found: string[] = [];
const check = (what: string, schema: ZodType | undefined, value: unknown): void => {
  const { error } = schema?.safeParse(value) ?? {};
  if (error) found.push(`${what}: ${z.prettifyError(error)}`);
};

/** What the console sent is a body that the server takes. */
export const checkBody = (called: string, query: URLSearchParams, body: unknown): void => {
  const route = routeOf(called);
  const schema = query.has('status_only') ? route?.statusBody : route?.body;
  check(`body of ${called}`, schema, body);
};

/**
 * What a spec lets the server answer has the names and types of the contract, as far as it goes.
 * `data: null` is an answer whose content does not matter to the spec.
 */
export const checkAnswer = (called: string, answer: unknown): void => {
  const route = routeOf(called);
  if (route?.data === undefined || !isRecord(answer)) return;
  if (answer.success !== true || (answer.data ?? null) === null) return;
  const schema = answerSchemas(route)['application/json'];
  check(`answer of ${called}`, schema && exactly(schema, 'partial'), answer);
};

/** Everything found since the last call. */
export const takeContractProblems = (): string[] => found.splice(0);
