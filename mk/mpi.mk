# SPDX-License-Identifier: MIT
#
# The program for clusters, built only on request: it needs an MPI, such as Debian's libopenmpi-dev and openmpi-bin.

MPICC ?= mpicc
MPI_OBJECTS := $(call objects,programs/luft-mpi)

.PHONY: mpi test-mpi

mpi: ## the program for clusters, which needs MPI: build/luft-mpi
	scripts/setup mpi
	+$(SUBMAKE) $(BUILD)/luft-mpi

test-mpi: ## build/luft-mpi with 1, 2 and 4 ranks, killed and resumed
	scripts/setup mpi
	+$(SUBMAKE) $(EXE) $(BUILD)/luft-mpi
	tests/mpi/test_mpi.sh '$(EXE)' '$(BUILD)/luft-mpi'

# The flags of the wrapper, without its compiler.
$(MPI_OBJECTS): private INCLUDES += -Iprograms/luft $(patsubst -I%,-isystem %,$(shell $(MPICC) --showme:compile 2>/dev/null))

$(OUT)/luft-mpi: $(MPI_OBJECTS) $(filter-out %/programs/luft/main.o,$(LUFT)) $(filter-out %/libtrain.a,$(ALL_LIBRARIES))
	$(call say,LINK,$@)
	$(LINK) -o $@ $^ $(shell $(MPICC) --showme:link) -pthread $(SQLITE_LIBRARIES) $(COMPRESSION_LIBRARIES) -lm

$(BUILD)/luft-mpi: $(OUT)/luft-mpi FORCE
	$(call copy,$<,$@)

-include $(MPI_OBJECTS:.o=.d)
