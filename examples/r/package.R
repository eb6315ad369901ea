# Reads a data package, the unzipped folder of all records, as data frames with typed columns. Needs the package
# jsonlite.
#
#   source("package.R")
#   unzip("data-package.zip", exdir = "package")
#   tables <- read_package("package")
#   str(tables$bookings)

# Returns a data frame for each table. A column of lists has JSON as its text.
read_package <- function(folder) {
  package <- jsonlite::fromJSON(file.path(folder, "datapackage.json"), simplifyVector = FALSE)
  tables <- lapply(package$resources, \(resource) read_table(folder, resource))
  setNames(tables, vapply(package$resources, `[[`, "", "name"))
}

read_table <- function(folder, resource) {
  table <- read.csv(
    file.path(folder, resource$path),
    colClasses = "character", na.strings = "", check.names = FALSE, encoding = "UTF-8"
  )
  types <- vapply(resource$schema$fields, `[[`, "", "type")
  table[] <- Map(to_column, table, types)
  table
}

to_column <- function(cells, type) {
  switch(type,
    number = as.numeric(cells),
    boolean = cells == "true",
    date = as.Date(cells),
    datetime = as.POSIXct(cells, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC"),
    string = without_apostrophe(cells),
    cells
  )
}

# Removes the apostrophe that keeps spreadsheets from running a text as a formula.
without_apostrophe <- function(cells) {
  sub("^'('*(?:[=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20]|$))", "\\1", cells, perl = TRUE)
}
