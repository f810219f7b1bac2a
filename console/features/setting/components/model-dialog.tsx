import { Dialog, DialogBody, InputGroup, Radio, RadioGroup } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogButtons } from '../../../shared/components/dialog-buttons.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { ProblemForm } from '../../../shared/components/problem-form.tsx';
import { useFormProblem } from '../../../shared/form-problem.ts';
import { toast } from '../../../shared/toast.ts';
import { draftProblem, type ModelDraft, rowOf, switchBy } from './model-draft.ts';
import type { RatioRow } from './ratio-table.ts';

type Props = Readonly<{
  initial: ModelDraft;
  isNew: boolean;
  /** Names that may not be taken again. */
  known: readonly string[];
  onSave: (row: RatioRow) => void;
  onClose: () => void;
}>;
type NumberName = 'ratio' | 'completion' | 'input' | 'output' | 'price';

/** One model: paid by call or by token, and tokens by ratio or by price. */
export const ModelDialog = ({ initial, isNew, known, onSave, onClose }: Props) => {
  const { t } = useTranslation('setting');
  const [draft, setDraft] = useState(initial);
  const change = (changes: Partial<ModelDraft>) => setDraft({ ...draft, ...changes });
  const { problem, report } = useFormProblem(draft);
  const submit = () => {
    const wrong = draftProblem(draft, known);
    if (wrong !== null) return report(wrong.field, t(wrong.text));
    onSave(rowOf(draft));
    toast('success', t(isNew ? 'visual-added' : 'visual-updated'));
    onClose();
  };
  const numberField = (name: NumberName) => (
    <Field label={t(`model.${name}`)} name={name}>
      {(id) => (
        <InputGroup
          id={id}
          inputMode="decimal"
          value={draft[name]}
          onValueChange={(text) => change({ [name]: text })}
        />
      )}
    </Field>
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(isNew ? 'visual-add' : 'visual-edit')}
      className="tg-dialog"
    >
      <ProblemForm problem={problem} onSubmit={submit}>
        <DialogBody>
          <Field label={t('visual-name')} name="name" isRequired>
            {(id) => (
              <InputGroup
                id={id}
                autoFocus={isNew}
                disabled={!isNew}
                value={draft.name}
                onValueChange={(name) => change({ name })}
              />
            )}
          </Field>
          <RadioGroup
            inline
            label={t('model.mode')}
            selectedValue={draft.mode}
            onChange={(event) =>
              change({ mode: event.currentTarget.value === 'call' ? 'call' : 'token' })
            }
          >
            <Radio value="token" label={t('model.by-token')} />
            <Radio value="call" label={t('model.by-call')} />
          </RadioGroup>
          {draft.mode === 'call' && numberField('price')}
          {draft.mode === 'token' && (
            <>
              <RadioGroup
                inline
                label={t('model.way')}
                selectedValue={draft.by}
                onChange={(event) =>
                  setDraft(
                    switchBy(draft, event.currentTarget.value === 'price' ? 'price' : 'ratio'),
                  )
                }
              >
                <Radio value="ratio" label={t('model.by-ratio')} />
                <Radio value="price" label={t('model.by-price')} />
              </RadioGroup>
              <div className="field-pair">
                {numberField(draft.by === 'ratio' ? 'ratio' : 'input')}
                {numberField(draft.by === 'ratio' ? 'completion' : 'output')}
              </div>
            </>
          )}
        </DialogBody>
        <DialogButtons onCancel={onClose} />
      </ProblemForm>
    </Dialog>
  );
};
