type PickerOption = Readonly<{
  value: string;
  label: string;
  isChosen?: boolean;
  isDisabled?: boolean;
}>;

type Props = Readonly<{
  id: string;
  label: string;
  options: readonly PickerOption[];
  /** Index of the option that Enter takes. */
  active: number;
  onChoose: (option: PickerOption) => void;
}>;

export const optionId = (listId: string, at: number): string => `${listId}-${at}`;

/** The options under a combobox: the field keeps the focus and names the active one. */
export const PickerList = ({ id, label, options, active, onChoose }: Props) => (
  <div id={id} className="picker-list" role="listbox" aria-label={label}>
    {options.map((option, at) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
      <div
        key={option.value}
        id={optionId(id, at)}
        role="option"
        tabIndex={-1}
        aria-selected={at === active}
        aria-disabled={option.isDisabled ?? false}
        className={option.isChosen ? 'picker-option is-chosen' : 'picker-option'}
        ref={(element) => {
          if (at === active) element?.scrollIntoView?.({ block: 'nearest' });
        }}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => option.isDisabled || onChoose(option)}
      >
        {option.label}
      </div>
    ))}
  </div>
);
