import { describe, expect, test } from 'vitest';
import {
  aChangeChannel,
  aChannelCreated,
  someSettings,
} from '../tests/support/channel-examples.ts';
import {
  edits,
  otherChannelSettings,
  otherCodeTerms,
  otherTerms,
  otherUserSettings,
} from '../tests/support/edited-fields.ts';
import { aChangeRedemption, aRedemptionCreated } from '../tests/support/redemption-examples.ts';
import { aChangeToken, aTokenCreated, someTerms } from '../tests/support/token-examples.ts';
import {
  aUserCommand,
  aUserRegistered,
  aUserSettingsChanged,
} from '../tests/support/user-examples.ts';
import { channelDecider } from './channel/decider.ts';
import { redemptionDecider } from './redemption/decider.ts';
import type { Decider } from './shared/decider.ts';
import type { Command, Event } from './shared/event.ts';
import { tokenDecider } from './token/decider.ts';
import { userDecider } from './user/decider.ts';

/** The data of the one event that a command leads to. */
const eventOf = <C extends Command, E extends Event, S, R extends string>(
  { initialState, evolve, decide }: Decider<C, E, S, R>,
  given: readonly E[],
  command: C,
): unknown => {
  const decision = decide(command, given.reduce(evolve, initialState));
  if (decision.kind === 'rejected') throw new Error(decision.code);
  expect(decision.events).toHaveLength(1);
  return decision.events[0]?.data;
};

describe('an edit of one field alone is an event that holds it', () => {
  test.each(edits(otherTerms))('of a token: %s', (_, edit) => {
    const command = aChangeToken(edit, 'remainQuota' in edit);
    const terms = someTerms(edit);
    expect(eventOf(tokenDecider, [aTokenCreated()], command)).toMatchObject({ terms });
  });

  test.each(edits(otherChannelSettings))('of a channel: %s', (_, edit) => {
    const command = aChangeChannel(edit, 'sealed:another');
    const settings = someSettings(edit);
    const data = eventOf(channelDecider, [aChannelCreated()], command);
    expect(data).toMatchObject({ settings });
  });

  test.each(edits(otherUserSettings))('of the settings of a person: %s', (_, edit) => {
    const before = aUserSettingsChanged();
    const settings = { ...before.data.settings, ...edit };
    const command = aUserCommand('ChangeUserSettings', { settings });
    const data = eventOf(userDecider, [aUserRegistered(), before], command);
    expect(data).toMatchObject({ settings });
  });

  test.each(edits({ username: 'eve', displayName: 'sealed:Eve' }))(
    'of the profile of a person: %s',
    (_, edit) => {
      const command = aUserCommand('ChangeProfile', {
        actorRole: 'self',
        username: null,
        displayName: null,
        ...edit,
      });
      expect(eventOf(userDecider, [aUserRegistered()], command)).toMatchObject(edit);
    },
  );

  test.each(edits(otherCodeTerms))('of a redemption code: %s', (_, edit) => {
    const created = aRedemptionCreated();
    const { name, quota } = { ...created.data, ...edit };
    const command = aChangeRedemption(name, quota);
    expect(eventOf(redemptionDecider, [created], command)).toMatchObject({ name, quota });
  });
});
