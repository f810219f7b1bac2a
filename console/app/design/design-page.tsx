import {
  Button,
  Callout,
  Checkbox,
  HTMLSelect,
  InputGroup,
  NonIdealState,
  ProgressBar,
  Switch,
  Tag,
} from '@blueprintjs/core';
import { Inbox, Plus, Search } from '@blueprintjs/icons';
import { type CSSProperties, type ReactNode, useState } from 'react';
import { Combobox } from '../../shared/components/combobox.tsx';
import { DataTable } from '../../shared/components/data-table.tsx';
import { Facts } from '../../shared/components/facts.tsx';
import { Field } from '../../shared/components/field.tsx';
import { LoadFailed } from '../../shared/components/load-failed.tsx';
import { MultiPicker } from '../../shared/components/multi-picker.tsx';
import { Page } from '../../shared/components/page.tsx';
import { SideDrawer } from '../../shared/components/side-drawer.tsx';
import { ToneTag } from '../../shared/components/tone-tag.tsx';
import { chooseTheme, useTheme } from '../theme.ts';
import { samples, states, tokenNames } from './tokens.ts';

const noop = () => undefined;

const Part = ({ title, children }: Readonly<{ title: string; children: ReactNode }>) => (
  <section className="panel panel-body">
    <h2 className="panel-title">{title}</h2>
    <div className="design-part">{children}</div>
  </section>
);

type TokenProps = Readonly<{ name: string; style: CSSProperties; text?: string }>;
/** One token: its name next to its purpose. */
const Token = ({ name, style, text = '' }: TokenProps) => (
  <figure className="design-token" data-token={name}>
    <div style={style}>{text}</div>
    <figcaption>{name}</figcaption>
  </figure>
);

const Tokens = () => (
  <>
    <Part title={samples.sections.colours}>
      {tokenNames.colours.map((name) => (
        <Token key={name} name={name} style={{ background: `var(--${name})`, height: 40 }} />
      ))}
    </Part>
    <Part title={samples.sections.series}>
      {tokenNames.series.map((name) => (
        <Token key={name} name={name} style={{ background: `var(--${name})`, height: 72 }} />
      ))}
    </Part>
    <Part title={samples.sections.types}>
      {tokenNames.types.map((name) => (
        <Token key={name} name={name} style={{ fontSize: `var(--${name})` }} text={samples.text} />
      ))}
      {tokenNames.weights.map((name) => (
        <Token
          key={name}
          name={name}
          style={{ fontWeight: `var(--${name})` }}
          text={samples.text}
        />
      ))}
      {tokenNames.fonts.map((name) => (
        <Token
          key={name}
          name={name}
          style={{ fontFamily: `var(--${name})` }}
          text={samples.text}
        />
      ))}
    </Part>
    <Part title={samples.sections.lengths}>
      {tokenNames.lengths.map((name) => (
        <Token
          key={name}
          name={name}
          style={{ background: 'var(--accent)', height: 12, width: `var(--${name})` }}
        />
      ))}
    </Part>
    <Part title={samples.sections.others}>
      <Token name="hairline" style={{ borderTop: 'var(--hairline)', height: 24 }} />
      <Token name="shadow-overlay" style={{ boxShadow: 'var(--shadow-overlay)', height: 40 }} />
      <Token name="motion" style={{ transition: 'opacity var(--motion)' }} text={samples.text} />
    </Part>
  </>
);

const Buttons = () => (
  <Part title={samples.sections.buttons}>
    <Button intent="primary" icon={<Plus />} text={states.primary} />
    <Button text={states.secondary} />
    <Button variant="minimal" text={states.minimal} />
    <Button intent="danger" text={states.danger} />
    <Button intent="primary" text={states.disabled} disabled />
    <Button text={states.disabled} disabled />
    <Button text={states.busy} loading />
  </Part>
);

const Fields = () => {
  const [one, setOne] = useState('b');
  const [many, setMany] = useState<readonly string[]>(['alpha']);
  return (
    <Part title={samples.sections.fields}>
      <Field label={states.field} hint={states.help}>
        {(id) => <InputGroup id={id} defaultValue={samples.text} />}
      </Field>
      <Field label={states.required} isRequired error={states.error}>
        {(id) => <InputGroup id={id} intent="danger" />}
      </Field>
      <Field label={states.disabled}>
        {(id) => <InputGroup id={id} disabled defaultValue={samples.text} />}
      </Field>
      <Field label={states.search}>
        {(id) => <InputGroup id={id} type="search" leftIcon={<Search />} />}
      </Field>
      <Field label={states.choice}>
        {(id) => <HTMLSelect id={id} fill options={[states.primary, states.secondary]} />}
      </Field>
      <Field label={states.picker}>
        {(id) => (
          <Combobox
            id={id}
            value={one}
            onChange={setOne}
            placeholder={states.picker}
            choices={['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }))}
          />
        )}
      </Field>
      <Field label={states.pickers}>
        {(id) => (
          <MultiPicker
            id={id}
            values={many}
            onChange={setMany}
            options={['alpha', 'beta', 'gamma']}
            placeholder={states.pickers}
          />
        )}
      </Field>
      <Checkbox label={states.check} defaultChecked />
      <Switch label={states.switch} defaultChecked />
    </Part>
  );
};

const Feedback = () => (
  <Part title={samples.sections.feedback}>
    {(['none', 'primary', 'success', 'warning', 'danger'] as const).map((intent) => (
      <Callout key={intent} intent={intent} title={intent}>
        {samples.text}
      </Callout>
    ))}
    <ProgressBar value={0.4} stripes={false} aria-label={states.progress} />
  </Part>
);

const Tags = () => (
  <Part title={samples.sections.tags}>
    <Tag minimal>{states.tag}</Tag>
    {(['green', 'orange', 'red', 'blue', 'grey'] as const).map((colour) => (
      <ToneTag key={colour} colour={colour}>
        {colour}
      </ToneTag>
    ))}
  </Part>
);

type Row = Readonly<{ name: string; amount: string }>;
const columns = [
  { key: 'name', title: states.field, render: ({ name }: Row) => name },
  { key: 'amount', title: states.amount, isNumber: true, render: ({ amount }: Row) => amount },
] as const;
const rows: readonly Row[] = [
  { name: 'alpha', amount: '$12.34' },
  { name: 'beta', amount: '−$0.50' },
];

const Table = () => (
  <Part title={samples.sections.table}>
    {[rows, undefined, []].map((shown, at) => (
      <DataTable
        key={['filled', 'loading', 'empty'][at]}
        label={`${samples.sections.table} ${at}`}
        columns={columns}
        rows={shown}
        rowKey={({ name }) => name}
        isBusy={shown === undefined}
        empty={<NonIdealState icon={<Inbox size={36} />} title={states.empty} />}
      />
    ))}
    <LoadFailed error={new Error(states.error)} onRetry={noop} />
    <Facts facts={[[states.field, states.tag]]} />
  </Part>
);

const Overlays = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Part title={samples.sections.overlays}>
      <Button text={states.drawer} onClick={() => setOpen(true)} />
      <SideDrawer
        title={states.drawer}
        isOpen={isOpen}
        side="right"
        isSaving={false}
        submitText={states.primary}
        onSubmit={() => setOpen(false)}
        onClose={() => setOpen(false)}
      >
        <Field label={states.field}>{(id) => <InputGroup id={id} />}</Field>
      </SideDrawer>
    </Part>
  );
};

/** Every token and component in its states; in the router while developing only. */
export const DesignPage = () => {
  const theme = useTheme();
  return (
    <main className="design">
      <Page
        title={samples.title}
        lead={samples.lead}
        actions={
          <Button
            text={states.theme}
            onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
          />
        }
      >
        <Tokens />
        <Buttons />
        <Fields />
        <Feedback />
        <Tags />
        <Table />
        <Overlays />
      </Page>
    </main>
  );
};
