import { type ApiError, isApiError } from '../protocol/api-error.ts';
import { type ScannedBody, scannedOrError } from '../protocol/normalise.ts';
import { isMedia } from '../protocol/operations.ts';
import { callError } from '../protocol/relay-errors.ts';
import { removeMember, splice, valueText } from '../protocol/splice.ts';
import { ambiguousField, defaultMediaModel } from './check-media.ts';
import type { TextIngress, TextRoute } from './text-call.ts';
import { modelOf, noModel } from './validate.ts';

/** A call's model, and its body, which names this model or none. */
export type NamedModel = Readonly<{ model: string; given: ScannedBody }>;

const defaultModerationModel = 'text-moderation-stable';

/** For calls that name no model; null: the operation has no default. */
const defaultModel = ({ operation, path, fallbackModel }: TextRoute): string | null => {
  if (operation === 'moderations') return defaultModerationModel;
  return isMedia(operation) ? defaultMediaModel(operation, path) : (fallbackModel ?? null);
};

const notText = callError('invalid_request', 'model must be a non-empty string', 'model');

/** `""` and null count as no model; the member goes, so that the provider is not sent either. */
const withoutModel = (given: ScannedBody): ScannedBody | ApiError => {
  if (given.form?.parts.some(({ name }) => name === 'model') === true) return notText;
  const { model } = given.scan.members;
  if (model === undefined) return given;
  const value = valueText(given.body, model);
  if (value !== 'null' && value !== '""') return notText;
  const rest = scannedOrError(splice(given.body, [removeMember(given.body, model)]));
  return isApiError(rest) ? rest : { ...given, ...rest };
};

/** The model that a call requests, by its path, its body or the default of its operation. */
export const modelFor = (
  { route, noModelCode }: TextIngress,
  given: ScannedBody,
): NamedModel | ApiError => {
  const ambiguous = ambiguousField(given);
  if (ambiguous !== null) return ambiguous;
  const named = route.model ?? modelOf(given);
  if (named !== null) return { model: named, given };
  const model = defaultModel(route);
  if (model === null) return { ...noModel, code: noModelCode ?? noModel.code };
  const rest = withoutModel(given);
  return isApiError(rest) ? rest : { model, given: rest };
};
