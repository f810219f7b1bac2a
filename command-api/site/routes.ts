import { rootRole } from '../../domain/access/roles.ts';
import { secretSentTo } from '../../domain/option/secret-targets.ts';
import { isOptionKey, isSecretOption } from '../../domain/option/table.ts';
import { type Rejected, reject } from '../../domain/shared/decider.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { reasonField } from '../../domain/shared/reason.ts';
import { optionPlace } from '../../domain/shared/sealed.ts';
import { siteDecider } from '../../domain/site/decider.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import { rootClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import { characterCount, passwordLength } from '../contract/limits.ts';
import type { OptionBody, siteApi } from '../contract/site.ts';
import { type Ok, ok, okWithWords } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { RejectionCode } from '../http/rejection-messages.ts';
import type { CallTo, Handlers } from '../http/routes.ts';
import type { Claims } from '../identity/claims.ts';
import type { PersonalKeys } from '../identity/personal-keys.ts';
import type { NewId } from '../identity/repeatable-ids.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import { createUser } from '../user/create-user.ts';
import { loadUser } from '../user/find-user.ts';
import { passwordProblem } from '../user/passwords.ts';

type Deps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  newId: NewId;
  claims: Claims;
  personalKeys: PersonalKeys;
  options: SiteOptions;
}>;

/** Console: "system initialised, jumping". */
const setupDone = { zh: '系统初始化成功', en: 'The site is set up' };
const ratiosReset = { zh: '模型倍率已重置为默认值', en: 'Model ratios are back to their defaults' };

/** The stored secret was meant for another address and is cleared. */
const secretNeeded = (key: string, secret: string) => ({
  zh: `${key} 已保存。原来的 ${secret} 不会发往新的目标，已被清除，请重新填写`,
  en: `${key} is saved. The stored ${secret} is not sent to the new target: enter it again`,
});

/** Names the stored secret that was removed because `key` changed where it is sent. */
const savedAnswer = (
  key: string,
  events: readonly SiteEvent[],
): Ok<{ secret_needed: string } | undefined> => {
  for (const event of events) {
    if (event.type !== 'OptionReset' || event.data.because !== key) continue;
    const { key: secretKey } = event.data;
    return { ...ok({ secret_needed: secretKey }), message: secretNeeded(key, secretKey) };
  }
  return ok();
};

type SetupBody = Readonly<{ username: string; password: string; confirmPassword: string }>;

const setupProblem = async (body: SetupBody): Promise<RejectionCode | null> => {
  if (body.username === '') return 'setup.username-required';
  if (/[@\s]/.test(body.username)) return 'setup.username-invalid';
  if (body.password !== body.confirmPassword) return 'user.password-mismatch';
  const length = characterCount(body.password);
  if (length < passwordLength.min) return 'user.password-too-short';
  if (length > passwordLength.max) return 'user.password-too-long';
  return passwordProblem(body.password, rootRole);
};

export const createSiteRoutes = (deps: Deps): Handlers<typeof siteApi> => {
  const { claims, newId, options } = deps;

  /** Claims the place of the super admin first, so that two set-ups at once make one. */
  const rootUser = async (
    call: Call,
    body: SetupBody,
  ): Promise<UserId | Rejected<RejectionCode>> => {
    const wanted = await newId('user', call);
    const claimed = await claims.claim(
      {
        kind: 'rootUser',
        streamId: rootClaimStreamId,
        ownerId: wanted,
        ownerStreamId: userStreamId(wanted),
      },
      derivedMetadata(call.metadata, 'root'),
    );
    if (claimed.kind === 'taken') {
      const present = await loadUser(deps, claimed.ownerId);
      return present ? present.userId : reject('setup.in-progress');
    }
    const userId = claimed.kind === 'repeated' ? claimed.ownerId : wanted;
    const { username, password } = body;
    const user = { username, password, displayName: '', role: rootRole, inviterId: null } as const;
    const created = await createUser(deps, call, { ...user, userId });
    return created.kind === 'rejected' ? created : created.userId;
  };

  /** null: there is no super admin yet. */
  const existingRoot = async (): Promise<UserId | null> => {
    const owner = await claims.owner(rootClaimStreamId);
    const user = owner === null ? null : await loadUser(deps, owner);
    return user?.userId ?? null;
  };

  const setup = async (call: CallTo<'POST /api/setup'>) => {
    const { status } = await options.state({ fresh: true });
    if (status === 'initialised') return reject('site.already-initialised');
    const { body } = call;
    const existing = await existingRoot();
    const problem = existing === null ? await setupProblem(body) : null;
    if (problem !== null) return reject(problem, passwordLength);
    const rootUserId = existing ?? (await rootUser(call, body));
    if (typeof rootUserId !== 'number') return rootUserId;
    const result = await call.perform(siteDecider, siteStreamId, {
      type: 'InitialiseSite',
      data: {
        rootUserId,
        selfUseMode: body.SelfUseModeEnabled,
        demoSite: body.DemoSiteEnabled,
      },
    });
    return result.kind === 'rejected' ? result : okWithWords(setupDone);
  };

  const secretCommand = (call: Call, key: string, { value, reason }: OptionBody) => {
    const data = { key, actorRole: call.caller.role, ...reasonField(reason) };
    const text = value.trim();
    if (text === '') return { type: 'ResetOption', data } as const;
    return {
      type: 'ChangeSecretOption',
      data: { ...data, sealed: deps.vault.seal(text, optionPlace(key)) },
    } as const;
  };

  const plainCommand = (call: Call, { key, value, secret, reason }: OptionBody) => {
    // The decider refuses a secret for a key that none is sent to.
    const place = optionPlace(isOptionKey(key) ? (secretSentTo(key) ?? key) : key);
    const sealed = secret ? { secret: deps.vault.seal(secret, place) } : {};
    const { role: actorRole } = call.caller;
    const data = { key, value, actorRole, ...sealed, ...reasonField(reason) };
    return { type: 'ChangeOption', data } as const;
  };

  const changeOption = async (call: CallTo<'PUT /api/option/'>) => {
    const { body } = call;
    const { key } = body;
    const isSecret = isOptionKey(key) && isSecretOption(key);
    const command = isSecret ? secretCommand(call, key, body) : plainCommand(call, body);
    const result = await call.perform(siteDecider, siteStreamId, command);
    // A form saves all that it shows; what is as it was is as good as saved.
    if (result.kind === 'rejected') return result.code === 'option.unchanged' ? ok() : result;
    return savedAnswer(key, result.events);
  };

  const resetRatios = async (call: Call) => {
    const result = await call.perform(siteDecider, siteStreamId, {
      type: 'ResetOption',
      data: { key: 'ModelRatio', actorRole: call.caller.role },
    });
    return result.kind === 'rejected' ? result : okWithWords(ratiosReset);
  };

  return {
    'POST /api/setup': setup,
    'PUT /api/option/': changeOption,
    'POST /api/option/rest_model_ratio': resetRatios,
  };
};
