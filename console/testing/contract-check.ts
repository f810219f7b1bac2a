import { type ZodType, z } from 'zod';
import { redemptionStatusBody } from '../../command-api/contract/redemption.ts';
import { tokenStatusBody } from '../../command-api/contract/token.ts';
import { routeAccess as writeAccess } from '../../command-api/http/route-access.ts';
import { routeContracts as commands } from '../../command-api/http/route-contracts.ts';
import { routeAccess as readAccess } from '../../projections/http/route-access.ts';
import { routeContracts as queries } from '../../projections/http/route-contracts.ts';
import { isRecord } from '../shared/local-values.ts';

type Contract = Readonly<{ body?: ZodType; data?: ZodType }>;

const contracts: Readonly<Record<string, Contract | undefined>> = { ...queries, ...commands };
/** Every route, those without parameters first: `/api/user/self` is not `/api/user/:id`. */
const routes = Object.keys({ ...readAccess, ...writeAccess })
  .map((route) => ({ route, pattern: new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`) }))
  .sort((a, b) => Number(a.route.includes(':')) - Number(b.route.includes(':')));
const contractOf = (called: string): Contract => {
  const route = routes.find(({ pattern }) => pattern.test(called))?.route;
  return (route && contracts[route]) || {};
};

/** The same contract, but any field may be left out, and none may be there that it does not name. */
const partly = (schema: ZodType): ZodType => {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, ZodType>);
    return z.strictObject(
      Object.fromEntries(fields.map(([name, field]) => [name, partly(field).optional()])),
    );
  }
  if (schema instanceof z.ZodArray) return z.array(partly(schema.element as ZodType));
  if (schema instanceof z.ZodNullable) return partly(schema.unwrap() as ZodType).nullable();
  if (schema instanceof z.ZodOptional) return partly(schema.unwrap() as ZodType).optional();
  return schema;
};

const found: string[] = [];
const check = (what: string, schema: ZodType | undefined, value: unknown): void => {
  const { error } = schema?.safeParse(value) ?? {};
  if (error) found.push(`${what}: ${z.prettifyError(error)}`);
};

/** Routes that take another body with `?status_only=true`. */
const statusBodies: Readonly<Record<string, ZodType>> = {
  'PUT /api/token/': tokenStatusBody,
  'PUT /api/redemption/': redemptionStatusBody,
};

/** What the console sent is a body that the server takes. */
export const checkBody = (called: string, query: URLSearchParams, body: unknown): void => {
  const ofStatus = query.has('status_only') ? statusBodies[called] : undefined;
  check(`body of ${called}`, ofStatus ?? contractOf(called).body, body);
};

/** The contract of prices has its fields beside `data`, so it describes the whole answer. */
const isWholeAnswer = (schema: ZodType): boolean =>
  schema instanceof z.ZodObject && 'success' in schema.shape;

/**
 * What a spec lets the server answer has the names and types of the contract, as far as it goes.
 * `data: null` is an answer whose content does not matter to the spec.
 */
export const checkAnswer = (called: string, answer: unknown): void => {
  const schema = contractOf(called).data;
  if (schema === undefined || !isRecord(answer)) return;
  if (answer.success !== true || (answer.data ?? null) === null) return;
  check(`answer of ${called}`, partly(schema), isWholeAnswer(schema) ? answer : answer.data);
};

/** Everything found since the last call. */
export const takeContractProblems = (): string[] => found.splice(0);
