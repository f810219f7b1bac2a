import { paths, userEdit } from '../../../console/shared/paths.ts';
import { alert, choices, dialog, drawer, type Overlay, popover } from './kinds.ts';
import {
  amend,
  answer,
  button,
  css,
  fill,
  fillField,
  item,
  rowMenu,
  type Step,
  selectRow,
} from './steps.ts';

const section = (tab: string, id: string) => `${paths.setting}?tab=${tab}&section=${id}`;
const userDrawer = 'features/user/components/user-drawer';
const inDrawer = (selector: string) => `.tg-drawer ${selector}`;
const adjusted: readonly Step[] = [
  fill('user:add-quota', '250000'),
  button('user:add-to-it'),
  fillField(
    inDrawer('[name=reason], #reason, .field:has(.bp6-text-muted) input >> nth=-1'),
    'gift',
  ),
];

/** Of users, keys, codes. */
const peopleOverlays: readonly Overlay[] = [
  {
    name: 'user: new',
    of: ['features/user/components/new-user SideDrawer'],
    path: paths.user,
    steps: [button('user:add')],
    shown: drawer,
  },
  {
    name: 'user: edit',
    of: [`${userDrawer} SideDrawer`, `${userDrawer} LoadingDrawer`],
    path: userEdit(2),
    steps: [],
    shown: inDrawer('input'),
  },
  {
    name: 'user: confirmation of an adjustment',
    of: [`${userDrawer} MoneyConfirmation`],
    path: userEdit(2),
    steps: [...adjusted, css(inDrawer('[type=submit]'))],
    shown: dialog,
  },
  {
    name: 'user: receipt of an adjustment',
    of: [`${userDrawer} MoneyReceipt`, 'features/ledger/components/dispute-drawer MoneyReceipt'],
    path: userEdit(2),
    steps: [
      answer('**/api/user/', { success: true, message: '', data: null }),
      ...adjusted,
      css(inDrawer('[type=submit]')),
      button('user:adjustment-confirm'),
    ],
    shown: `${dialog} a`,
  },
  {
    name: 'user: end of all sessions',
    of: ['features/user/components/end-sessions ConfirmPopover'],
    path: userEdit(2),
    steps: [button('user:end-sessions')],
    shown: popover,
  },
  {
    name: 'user: removal of the second factor',
    of: ['features/user/components/remove-second-factor ConfirmPopover'],
    path: userEdit(2),
    steps: [amend('**/api/user/2', { second_factor: true }), button('user:factor-remove')],
    shown: popover,
  },
  {
    name: 'user: menu',
    of: ['features/user/components/user-actions RowMenu'],
    path: paths.user,
    steps: [rowMenu()],
    shown: popover,
  },
  {
    name: 'user: question with a reason',
    of: ['features/user/components/user-actions RowMenu'],
    path: paths.user,
    steps: [rowMenu('ada'), item('user:action.delete')],
    shown: dialog,
  },
  {
    name: 'API key: new',
    of: [
      'features/token/components/token-drawer SideDrawer',
      'features/token/components/token-drawer LoadingDrawer',
    ],
    path: paths.token,
    steps: [button('token:add')],
    shown: inDrawer('input'),
  },
  {
    name: 'API key: expiry',
    of: ['features/token/components/expiry-field InstantField'],
    path: paths.token,
    steps: [button('token:add'), css('.instant-field button')],
    shown: '.bp6-datepicker',
  },
  {
    name: 'API key: models',
    of: ['features/token/components/limit-fields MultiPicker'],
    path: paths.token,
    steps: [
      button('token:add'),
      (page) => page.locator(inDrawer('.bp6-checkbox')).last().click(),
      css(inDrawer('.bp6-tag-input input[role=combobox]')),
    ],
    shown: choices,
  },
  {
    name: 'API key: how to connect',
    of: ['features/token/screens/tokens ConnectDialog'],
    path: paths.token,
    steps: [button('connect:title')],
    shown: dialog,
  },
  {
    name: 'API key: chat sites',
    of: ['features/token/components/chat-button PopoverNext'],
    path: paths.token,
    steps: [button('token:chat-choose')],
    shown: popover,
  },
  {
    name: 'API key: whole key',
    of: ['features/token/components/token-key PopoverNext'],
    path: paths.token,
    steps: [css('.token-key .bp6-popover-target button')],
    shown: popover,
  },
  {
    name: 'code: new',
    of: ['features/redemption/components/redemption-drawer SideDrawer'],
    path: paths.redemption,
    steps: [button('redemption:add')],
    shown: drawer,
  },
  {
    name: 'code: file of new ones',
    of: ['features/redemption/screens/redemptions Dialog'],
    path: paths.redemption,
    steps: [
      answer('**/api/redemption/', { success: true, message: '', data: ['a1b2', 'c3d4'] }),
      button('redemption:add'),
      fillField(inDrawer('input >> nth=0'), 'spring'),
      css(inDrawer('[type=submit]')),
    ],
    shown: dialog,
  },
  {
    name: 'code: menu and whole code',
    of: [
      'features/redemption/components/redemption-columns RowMenu',
      'features/redemption/components/redemption-columns PopoverNext',
    ],
    path: paths.redemption,
    steps: [css('.token-key .bp6-popover-target button')],
    shown: popover,
  },
  {
    name: 'drawing: picture',
    of: ['features/drawing/components/image-viewer Dialog'],
    path: paths.drawing,
    steps: [button('drawing:view-image')],
    shown: dialog,
  },
  {
    name: 'drawing: whole text',
    of: [
      'features/drawing/components/drawing-columns FullText',
      'features/task/components/task-columns FullText',
    ],
    path: paths.drawing,
    steps: [css('button.full-text')],
    shown: dialog,
  },
];

export const settingOverlays: readonly Overlay[] = [
  ...peopleOverlays,
  {
    name: 'settings: units per dollar',
    of: ['features/setting/components/general-card Question'],
    path: section('operation', 'general'),
    steps: [fill('setting:label.QuotaPerUnit', '1000'), button('setting:save')],
    shown: alert,
  },
  {
    name: 'settings: login by password off',
    of: ['features/setting/components/login-card Question'],
    path: section('system', 'login'),
    steps: [css('[data-option=PasswordLoginEnabled] label')],
    shown: alert,
  },
  {
    name: 'settings: clear the log',
    of: ['features/setting/components/clear-log ConfirmPopover'],
    path: section('operation', 'log'),
    steps: [button('setting:clear-log')],
    shown: popover,
  },
  {
    name: 'settings: date of the log to clear',
    of: ['features/setting/components/clear-log InstantField'],
    path: section('operation', 'log'),
    steps: [css('.clear-log .instant-field button')],
    shown: '.bp6-datepicker',
  },
  {
    name: 'settings: reset ratios',
    of: ['features/setting/components/reset-ratios ConfirmPopover'],
    path: section('operation', 'prices'),
    steps: [button('setting:reset-ratios')],
    shown: popover,
  },
  {
    name: 'settings: price of a model',
    of: ['features/setting/components/model-dialog Dialog'],
    path: section('operation', 'visual'),
    steps: [button('setting:visual-add')],
    shown: dialog,
  },
  {
    name: 'settings: prices of several models',
    of: ['features/setting/components/fill-dialog Dialog'],
    path: section('operation', 'unset'),
    steps: [selectRow(), button('setting:fill')],
    shown: dialog,
  },
  {
    name: 'settings: edits that would be lost',
    of: ['features/setting/screens/settings UnsavedGuard'],
    path: section('other', 'name'),
    steps: [fill('setting:label.SystemName', 'other'), css('.brand')],
    shown: alert,
  },
  {
    name: 'settings: newer release',
    of: ['features/setting/components/version-card Dialog'],
    path: section('other', 'version'),
    steps: [
      answer('https://releases.example.org/**', {
        tag_name: 'v99.0.0',
        body: '## New\n\n- more of everything',
        html_url: 'https://example.org/releases/99',
      }),
      button('setting:version-check'),
    ],
    shown: dialog,
  },
];
