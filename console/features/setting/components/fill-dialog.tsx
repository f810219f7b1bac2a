import { Dialog, DialogBody, InputGroup, Radio, RadioGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { toast } from '../../../shared/toast.ts';
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

/** The same price or ratios for all selected models. */
export const FillDialog = ({ count, onFill, onClose }: Props) => {
  const { t } = useTranslation('setting');
  const [kind, setKind] = useState<FillKind>('ratio');
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const problem = () => {
    if (kind === 'both' && (first === '' || second === '')) return 'fill-both-missing' as const;
    if (first === '') return 'fill-missing' as const;
    return isDecimal(first) && isDecimal(second) ? null : ('fill-number' as const);
  };
  const submit = () => {
    const wrong = problem();
    if (wrong !== null) return toast('error', t(wrong));
    onFill(valuesOf(kind, first, second), kind);
    onClose();
  };
  const field = (label: string, value: string, onChange: (text: string) => void) => (
    <Field label={label}>
      {(id) => <InputGroup id={id} inputMode="decimal" value={value} onValueChange={onChange} />}
    </Field>
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('fill', { count })} className="tg-dialog">
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
        {field(kind === 'both' ? t('fill.ratio') : t('fill-value'), first, setFirst)}
        {kind === 'both' && field(t('fill.completion'), second, setSecond)}
      </DialogBody>
      <DialogButtons onCancel={onClose} onConfirm={submit} />
    </Dialog>
  );
};
