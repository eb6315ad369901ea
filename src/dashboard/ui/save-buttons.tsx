/** The buttons at the end of a form: save and cancel. */
export function SaveButtons({ cancelPath }: { cancelPath: string }) {
  return (
    <div class="acts">
      <button type="submit">Save</button>
      <a class="button" href={cancelPath}>
        Cancel
      </a>
    </div>
  )
}
