module none

go 1.26
