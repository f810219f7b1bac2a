import { Dialog, DialogBody, InputGroup, Radio, RadioGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem } from '../../../shared/form-problem.ts';
import { isDecimal, type RatioRow } from './ratio-table.ts';

const kinds = ['price', 'ratio', 'completion', 'both'] as const;
export type FillKind = (typeof kinds)[number];
const isKind = (text: string): text is FillKind => kinds.some((kind) => kind === text);

type Props = Readonly<{
  count: number;
  onFill: (values: Partial<RatioRow>, kind: FillKind) => void;
  onClose: () => void;
}>;

/** A price clears the ratios of a model, and ratios clear its price. */
const valuesOf = (kind: FillKind, first: string, second: string): Partial<RatioRow> => {
  if (kind === 'price') return { price: first, ratio: '', completion: '' };
  if (kind === 'ratio') return { price: '', ratio: first };
  if (kind === 'completion') return { price: '', completion: first };
  return { price: '', ratio: first, completion: second };
};

type Typed = Readonly<{ kind: FillKind; first: string; second: string }>;

/** The field that cannot stay, and why. */
const problemIn = ({ kind, first, second }: Typed) => {
  if (kind === 'both' && first === '') return ['first', 'fill-both-missing'] as const;
  if (kind === 'both' && second === '') return ['second', 'fill-both-missing'] as const;
  if (first === '') return ['first', 'fill-missing'] as const;
  if (!isDecimal(first)) return ['first', 'fill-number'] as const;
  return kind !== 'both' || isDecimal(second) ? null : (['second', 'fill-number'] as const);
};

/** The same price or ratios for all selected models. */
export const FillDialog = ({ count, onFill, onClose }: Props) => {
  const { t } = useTranslation('setting');
  const [kind, setKind] = useState<FillKind>('ratio');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const { problem, report } = useFormProblem({ kind, first, second });
  const submit = () => {
    const wrong = problemIn({ kind, first, second });
    if (wrong !== null) return report(wrong[0], t(wrong[1]));
    onFill(valuesOf(kind, first, second), kind);
    onClose();
  };
  type Input = Readonly<{ name: string; value: string; onChange: (text: string) => void }>;
  const field = (label: string, { name, value, onChange }: Input) => (
    <Field label={label} name={name}>
      {(id) => <InputGroup id={id} inputMode="decimal" value={value} onValueChange={onChange} />}
    </Field>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('fill', { count })} className="tg-dialog">
      <ProblemForm problem={problem} onSubmit={submit}>
        <DialogBody>
          <RadioGroup
            label={t('fill-kind')}
            selectedValue={kind}
            onChange={({ currentTarget: { value } }) => isKind(value) && setKind(value)}
          >
            {kinds.map((name) => (
              <Radio key={name} value={name} label={t(`fill.${name}`)} />
            ))}
          </RadioGroup>
          {field(kind === 'both' ? t('fill.ratio') : t('fill-value'), {
            name: 'first',
            value: first,
            onChange: setFirst,
          })}
          {kind === 'both' &&
            field(t('fill.completion'), { name: 'second', value: second, onChange: setSecond })}
        </DialogBody>
        <DialogButtons onCancel={onClose} />
      </ProblemForm>
    </Dialog>
  );
};
