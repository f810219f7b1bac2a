import { mayUseGroup } from '../../domain/pricing/groups.ts';
import { hasUnreadBody } from '../../infra/web/unread-body.ts';
import type { Caller } from '../admission/caller.ts';
import { identifySession, type SessionRefusal } from '../admission/session.ts';
import type { Incoming } from '../exchange/admitted.ts';
import type { RelayCore } from '../relay-core.ts';
import { gatewayError, sendError } from './api-error.ts';
import { type ScannedBody, scanned } from './normalise.ts';
import { type BodyResult, readBody } from './read-body.ts';
import type { TextRoute } from './routes.ts';
import { serveTextBody } from './serve-text.ts';
import { type Edit, removeMember, splice, valueText } from './splice.ts';
import { notJson } from './validate.ts';

const sendRefusal = ({ res, requestId }: Incoming, refusal: SessionRefusal): void => {
  const { code, message, status } = refusal;
  const body = Buffer.from(JSON.stringify({ success: false, code, message }));
  res.writeHead(status, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(body.length),
    'X-Request-Id',
    requestId,
    // A body that was not read to its end cannot be followed by another request.
    ...(hasUnreadBody(res.req) ? ['Connection', 'close'] : []),
  ]);
  res.end(body);
};

const textMember = ({ body, scan }: ScannedBody, key: 'group'): string => {
  const member = scan.members[key];
  if (member === undefined) return '';
  const value: unknown = JSON.parse(valueText(body, member));
  return typeof value === 'string' ? value : '';
};

/** The page's own fields go no further: `group`, and a limit of 0 that means "none". */
const forProvider = (given: ScannedBody): ScannedBody => {
  let now = given;
  for (const key of ['group', 'max_tokens'] as const) {
    const member = now.scan.members[key];
    if (member === undefined) continue;
    if (key === 'max_tokens' && valueText(now.body, member) !== '0') continue;
    const edit: Edit = removeMember(now.body, member);
    now = scanned(splice(now.body, [edit])) ?? now;
  }
  return now;
};

const callerIn = (core: RelayCore, caller: Caller, asked: string): Caller | null => {
  const own = caller.account.group === '' ? 'default' : caller.account.group;
  const group = asked === '' ? own : asked;
  if (!mayUseGroup(core.options.current().prices, own, group)) return null;
  return { ...caller, tokenGroup: group, tokenName: `playground-${group}` };
};

const chatRoute: TextRoute = {
  kind: 'text',
  operation: 'chat',
  protocol: 'openai',
  path: '/v1/chat/completions',
};

const serveBody = (
  core: RelayCore,
  incoming: Incoming,
  { raw, caller }: Readonly<{ raw: Buffer; caller: Caller }>,
): void => {
  const { res, requestId } = incoming;
  const given = scanned(raw);
  if (given === null) {
    sendError(res, { ...notJson, code: 'unmarshal_request_failed' }, requestId);
    return;
  }
  const inGroup = callerIn(core, caller, textMember(given, 'group'));
  if (inGroup === null) {
    sendError(
      res,
      gatewayError(403, 'group_not_allowed', 'This group is not open to you'),
      requestId,
    );
    return;
  }
  serveTextBody(core, incoming, {
    ingress: {
      route: chatRoute,
      caller: inGroup,
      noModelCode: 'model_required',
    },
    given: forProvider(given),
  });
};

/** POST /pg/chat/completions: the console's own page, under the session of who is signed in. */
export const servePlayground = async (core: RelayCore, incoming: Incoming): Promise<void> => {
  const { req, res, requestId } = incoming;
  const caller = await identifySession(core, req);
  if ('kind' in caller) {
    sendRefusal(incoming, caller);
    return;
  }
  const raw = await new Promise<BodyResult>((resolve) => readBody(core, incoming, resolve));
  if (raw === 'gone') return;
  if (Buffer.isBuffer(raw)) serveBody(core, incoming, { raw, caller });
  else sendError(res, raw, requestId);
};
