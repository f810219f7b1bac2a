import { paths } from '../../../console/shared/paths.ts';
import { accountOverlays } from './account-overlays.ts';
import { channelOverlays } from './channel-overlays.ts';
import { choices, dialog, drawer, type Overlay, popover } from './kinds.ts';
import { listOverlays } from './list-overlays.ts';
import { settingOverlays } from './setting-overlays.ts';
import { css, fillField, item, key, rowMenu } from './steps.ts';

const shellOverlays: readonly Overlay[] = [
  {
    name: 'menu of the user',
    of: ['app/shell/user-menu PopoverNext'],
    path: paths.token,
    steps: [css('.user-menu')],
    shown: popover,
  },
  {
    name: 'languages',
    of: ['app/shell/top-bar PopoverNext'],
    path: paths.pricing,
    by: 'visitor',
    steps: [css('.top-tools .bp6-popover-target button')],
    shown: popover,
  },
  {
    name: 'command palette',
    of: ['app/shell/command-palette Overlay2'],
    path: paths.token,
    steps: [css('.palette-button')],
    shown: '.palette',
  },
  {
    name: 'command palette with matches',
    of: ['app/shell/command-palette Overlay2'],
    path: paths.log,
    steps: [css('.palette-button'), fillField('.palette input', 'a'), key('ArrowDown')],
    shown: '.palette [role=option]',
  },
  {
    name: 'main menu',
    of: ['app/shell/shell Drawer'],
    path: paths.token,
    only: 'phone',
    steps: [css('.top-bar > button.only-narrow')],
    shown: drawer,
  },
  {
    name: 'settings of the playground',
    of: ['features/playground/screens/playground Drawer'],
    path: paths.playground,
    only: 'phone',
    steps: [css('.playground-head button')],
    shown: drawer,
  },
  {
    name: 'models of the playground',
    of: ['features/playground/components/settings-panel Combobox'],
    path: paths.playground,
    only: 'desktop',
    steps: [css('.playground input[role=combobox]')],
    shown: choices,
  },
  {
    name: 'question of a row',
    of: ['features/projections/components/projection-columns ConfirmPopover'],
    path: paths.projections,
    steps: [css('tbody .bp6-popover-target button')],
    shown: popover,
  },
  {
    name: 'menu of an API key',
    of: ['features/token/components/token-actions RowMenu'],
    path: paths.token,
    steps: [rowMenu()],
    shown: popover,
  },
  {
    name: 'question before an API key is deleted',
    of: ['features/token/components/token-actions RowMenu'],
    path: paths.token,
    steps: [rowMenu(), item('common:delete')],
    shown: dialog,
  },
];

export const overlays: readonly Overlay[] = [
  ...shellOverlays,
  ...accountOverlays,
  ...listOverlays,
  ...channelOverlays,
  ...settingOverlays,
];

/** Uses that no browser test opens, and why. */
export const notOpened: Readonly<Record<string, string>> = {
  'features/account/screens/login Question':
    'no site can be set up with that password any more; the question is that of other screens',
  'app/design/design-page Combobox': 'the page of tokens exists in development alone',
  'app/design/design-page MultiPicker': 'the page of tokens exists in development alone',
  'app/design/design-page SideDrawer': 'the page of tokens exists in development alone',
  'features/ledger/screens/ledger ListToolbar': 'it has no filters, and nothing opens',
  'features/redemption/screens/redemptions ListToolbar': 'it has no filters, and nothing opens',
  'features/reconciliation/components/all-orders detail':
    'the site of these tests takes no payments; the drawer is that of other lists',
  'features/reconciliation/components/dead-letters detail':
    'no event of these tests is refused by a read model; the drawer is that of other lists',
};
