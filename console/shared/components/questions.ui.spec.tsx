import { Button } from '@blueprintjs/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { startI18n } from '../../app/i18n.ts';
import { ConfirmPopover } from './confirm-popover.tsx';
import { RowMenu } from './row-menu.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('a confirmation next to a button takes the focus and leaves the page where it is', async () => {
  await startI18n('en');
  const person = userEvent.setup();
  const onConfirm = vi.fn();
  render(
    <ConfirmPopover title="End it?" onConfirm={onConfirm}>
      <Button text="End" />
    </ConfirmPopover>,
  );
  const focused = vi.spyOn(HTMLElement.prototype, 'focus');
  await person.click(screen.getByRole('button', { name: 'End' }));
  const ok = await screen.findByRole('button', { name: 'OK' });
  expect(document.activeElement).toBe(ok);
  const ofQuestion = focused.mock.calls.filter(
    (_call, index) => focused.mock.contexts[index] === ok,
  );
  expect(ofQuestion.length).toBeGreaterThan(0);
  for (const [options] of ofQuestion) expect(options).toEqual({ preventScroll: true });
  await person.keyboard('{Enter}');
  expect(onConfirm).toHaveBeenCalledOnce();
});

test('what a row loses for good is confirmed with a button of danger, a copy is not', async () => {
  await startI18n('en');
  const person = userEvent.setup();
  const question = { title: 'Sure?', onConfirm: () => undefined };
  render(
    <RowMenu
      name="east"
      actions={[
        { text: 'Copy', question },
        { text: 'Delete', isDanger: true, question },
      ]}
    />,
  );
  const confirmOf = async (action: string) => {
    await person.click(screen.getByRole('button', { name: 'Actions for east' }));
    await person.click(await screen.findByRole('menuitem', { name: action }));
    return screen.findByRole('button', { name: 'OK' });
  };
  expect((await confirmOf('Copy')).className).toContain('bp6-intent-primary');
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  expect((await confirmOf('Delete')).className).toContain('bp6-intent-danger');
});
