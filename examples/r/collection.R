# Reads a collection as a data frame with typed columns. Needs the packages httr2 and jsonlite, and the
# key in the environment variable API_KEY.
#
#   source("collection.R")
#   bookings <- read_collection("bookings", `$filter` = "date ge 2026-01-01")
#   str(bookings)

library(httr2)

# Returns a row for each record. Objects become columns such as `venue.name`, and a person's fields have
# their keys as names.
read_collection <- function(collection, ...) {
  lines <- download_lines(collection, ...)
  rows <- lapply(lines, \(line) flatten_record(jsonlite::fromJSON(line, simplifyVector = FALSE)))
  columns <- unique(unlist(lapply(rows, names)))
  values <- lapply(columns, \(column) to_column(lapply(rows, `[[`, column)))
  structure(values, names = columns, class = "data.frame", row.names = seq_along(rows))
}

# Waits for the time that a busy API asks for. A transfer that breaks off is an error.
download_lines <- function(collection, ...) {
  file <- tempfile()
  on.exit(unlink(file))
  request(Sys.getenv("API_URL", "http://localhost:8787/api/v1")) |>
    req_url_path_append(collection) |>
    req_url_query(..., `$format` = "ndjson") |>
    req_headers(`x-api-key` = Sys.getenv("API_KEY"), Prefer = "handling=strict") |>
    req_retry(max_tries = 10) |>
    req_error(body = \(answer) resp_body_json(answer)$message) |>
    req_perform(path = file)
  readLines(file, encoding = "UTF-8")
}

flatten_record <- function(record, prefix = "") {
  values <- list()
  for (name in setdiff(names(record), "schemaInfo")) {
    value <- record[[name]]
    values <- c(values, if (name == "fields") {
      setNames(lapply(value, `[[`, "value"), paste0(prefix, vapply(value, `[[`, "", "key")))
    } else if (!is.null(names(value))) {
      flatten_record(value, paste0(prefix, name, "."))
    } else {
      setNames(list(value), paste0(prefix, name))
    })
  }
  values
}

# JSON has types for all but dates and times. A list of texts becomes a vector, in a column of lists.
to_column <- function(values) {
  if (any(vapply(values, is.list, NA))) {
    is_texts <- \(value) is.list(value) && all(vapply(value, is.character, NA))
    return(lapply(values, \(value) if (is_texts(value)) as.character(value) else value))
  }
  column <- unlist(lapply(values, \(value) if (is.null(value)) NA else value))
  present <- column[!is.na(column)]
  has_format <- \(format) is.character(present) && all(grepl(format, present))
  if (has_format("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$")) {
    as.POSIXct(column, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")
  } else if (has_format("^\\d{4}-\\d\\d-\\d\\d$")) {
    as.Date(column)
  } else {
    column
  }
}
